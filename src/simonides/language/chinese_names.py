"""Chinese names of people, where what stands around them tells that they are names.

A Chinese name looks like any other two or three characters. So one is only taken for a name where a text introduces it
("我叫李明"), or says whose friend, sister or doctor it is and goes on as behind a person ("我的朋友李明喜欢…"); and
there only where it begins with a usual family name. What is known is found everywhere else.
"""

from __future__ import annotations

from typing import Final

from simonides.domain.pattern import later

_DOUBLE: Final = "欧阳|司马|上官|诸葛|司徒|东方|夏侯|皇甫|尉迟|公孙|令狐|慕容|端木"
_FAMILY: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖萧田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟"
    "谭陆汪范金石廖贾夏韦付傅方白邹孟熊秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
_GIVEN: Final = r"[\u4e00-\u9fff]"
_NAME: Final = rf"(?:(?:{_DOUBLE}){_GIVEN}{{1,2}}?|[{_FAMILY}]{_GIVEN}{{1,2}}?)"
#: What goes on behind a person.
_ON: Final = (
    r"(?=\Z|[^\u4e00-\u9fff]|的|是|在|和|跟|与|也|都|不|很|说|问|住|爱|有|去|来|会|要|想|教|告诉|喜欢|讨厌|今|昨|明天|每|"
    r"从|对|把|被|给|已|正|曾|刚|毕业|出生|结婚|搬|学|吃|喝|开始|负责|擅长|害怕|养|做|当|姓|认识|觉得|打算|希望|同意|建议|"
    r"推荐|送|借|买|卖|写|画|唱|一起)"
)
_INTRODUCED: Final = later(
    rf"(?:名叫|叫做|名字(?:叫|是)|姓名是|[我他她]叫|我是|这是|认识了|人叫)({_NAME})(?=\Z|[^\u4e00-\u9fff]|的|和|，|也|今|住|在)"
)
_WHOSE: Final = later(
    r"(?:朋友|同事|同学|室友|邻居|老师|医生|律师|经理|老板|上司|客户|教练|妹妹|姐姐|哥哥|弟弟|表哥|表姐|表弟|表妹|堂哥|堂姐|"
    r"妻子|丈夫|老婆|老公|儿子|女儿|男友|女友|男朋友|女朋友|叔叔|阿姨|舅舅|姑姑|导师|助理|队友|搭档|教授|博士)"
    rf"({_NAME}){_ON}"
)
_ORDINARY = """
高兴 高中 高级 高大 高手 方法 方面 方便 马上 白天 白色 黄色 黄金 金钱 金融 石头 石油 江湖 龙头
雷声 毛病 毛衣 钱包 严重 严格 武器 武术 向来 万一 任何 任务 程序 程度 许多 何时 何况 余下 周末
周一 周二 周三 周四 周五 周六 周日 周围 曾经 叶子 田野 林业 胡子 孙子 朱红 唐朝 宋朝 汉朝 夏天
史上 时候 成为 安全 顾客 顾问 贺卡 孔子 汤面 莫非 陆地 范围 方向 万岁 马路 白酒 黄河 江南 高考
高校 高速 金属 武汉 苏州 韩国 郑州 徐州 杭州 秦朝 江苏 黄山 马来 石家 唐山 高三 高二 高一
"""
#: Words that begin like a name, and are none.
_WORDS: Final = frozenset(_ORDINARY.split())
#: Behind a family name these are no given name: Mr, Ms, teacher.
_TITLES: Final = (
    "先",
    "女士",
    "小姐",
    "老师",
    "老板",
    "医生",
    "教授",
    "经理",
    "师傅",
    "总",
    "阿姨",
    "叔",
    "姐",
    "哥",
    "某",
)


def chinese_names(text: str) -> list[str]:
    """Names of people in a text, in its order."""
    matches = [match for pattern in (_INTRODUCED, _WHOSE) for match in pattern.finditer(text)]
    names = [match[1] for match in sorted(matches, key=lambda match: match.start())]
    return [name for name in names if name[:2] not in _WORDS and not name[1:].startswith(_TITLES)]
