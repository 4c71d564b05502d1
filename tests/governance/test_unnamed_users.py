"""Statements about the user that name nobody, in six languages, and notes beside them that are of something else."""

import pytest

from simonides.governance.about_user import tells_of_the_user

#: What leaves the user out, tells them of themselves, or calls them by no name.
OF_THE_USER = """
Does not eat fish.|Likes tea.|Vegetarian.|Works at a bank.|Your dog is called Rex.
You are allergic to nuts.|The person lives in Graz.|Has two cats.|Allergic to nuts.|Lives in Graz.
Never drinks coffee.|Speaks French.
Isst keinen Fisch.|Mag Tee.|Mag keinen Fisch.|Vegetarierin.|Arbeitet bei einer Bank.|Dein Hund heißt Rex.
Deinen Hund nennst du Rex.|Du bist allergisch gegen Nüsse.|Sie sind allergisch gegen Nüsse.
Sie wohnen in Graz.|Sie haben eine Nussallergie.|Sie heißen Anna.|Sie mögen Tee.
Sie trinken keinen Kaffee.|Sie essen kein Fleisch.|Sie sind Vegetarierin.|Ihr Hund heißt Rex.
Ihre Katze heißt Mia.|Ihr Name ist Anna.|Die Person wohnt in Graz.|Die Person mag Tee.
Die Userin wohnt in Graz.|Der User mag Tee.|Die Anwenderin isst keinen Fisch.|Hat zwei Katzen.
Allergisch gegen Nüsse.|Wohnt in Graz.|Trinkt nie Kaffee.|Spricht Französisch.|Lebt in Wien.|Heißt Anna.
Ist allergisch gegen Nüsse.|Verträgt keine Milch.|Besitzt ein Rad.|Nimmt Ibuprofen.|Hasst Koriander.
Geht gern wandern.|Liest gern Krimis.|Studiert Medizin.|Die Nutzerin wohnt in Graz.|Euer Hund heißt Rex.
Dir schmeckt Tee.|Dein Lieblingstee ist Sencha.
No come pescado.|Come pescado.|Le gusta el té.|No le gusta el pescado.|Le encanta el té.
Le encantan los gatos.|No soporta el ruido.|Vegetariana.|Trabaja en un banco.|Tu perro se llama Rex.
Eres alérgico a las nueces.|Es alérgica a las nueces.|Vives en Graz.|Tienes dos gatos.|Te gusta el té.
Te llamas Ana.|Usted vive en Graz.|Usted es alérgica.|La persona vive en Graz.
A la persona le gusta el té.|Tiene dos gatos.|Alérgica a las nueces.|Vive en Graz.|Nunca bebe café.
No bebe café.|Habla francés.|Se llama Ana.|Odia el cilantro.|Estudia medicina.|Toma ibuprofeno.
Está casada.|Está embarazada.|La usuaria vive en Graz.|Trabajas en un banco.|No comes pescado.
No te gusta el pescado.|Su perro se llama Rex.|Padece asma.|Prefiere el té.|Vuestro perro se llama Rex.
Ne mange pas de poisson.|Mange du poisson.|Aime le thé.|N'aime pas le poisson.|N’aime pas le poisson.
Végétarienne.|Travaille dans une banque.|Ton chien s'appelle Rex.|Votre chien s'appelle Rex.
Tu es allergique aux noix.|Vous êtes allergique aux noix.|Vous habitez à Graz.|T'es allergique aux noix.
Tu t'appelles Anna.|La personne habite à Graz.|La personne aime le thé.|A deux chats.
Allergique aux noix.|Habite à Graz.|Ne boit jamais de café.|Parle français.|S'appelle Anna.
Déteste la coriandre.|Étudie la médecine.|Prend de l'ibuprofène.|Est mariée.|Est enceinte.
L'utilisatrice habite à Graz.|Possède un vélo.|Préfère le thé.|Vit à Lyon.|Est allergique aux noix.
Ne supporte pas le bruit.
Не ест рыбу.|Ест рыбу.|Нравится чай.|Не нравится рыба.|Не любит рыбу.|Любит чай.|Вегетарианка.
Работает в банке.|Твою собаку зовут Рекс.|Вашу собаку зовут Рекс.|Твоя собака — Рекс.
Вашего сына зовут Ваня.|Твоего кота зовут Мурзик.|У твоей сестры двое детей.|Тебя зовут Аня.
Вас зовут Анна.|У тебя две кошки.|У вас аллергия на орехи.|Тебе нравится чай.|Вам нравится чай.
У тебя аллергия на орехи.|Ты не ешь рыбу.|Вы живёте в Казани.|Живёшь в Казани.|Человек живёт в Казани.
Человек любит чай.|Человек не ест рыбу.|Юзер живёт в Казани.|Юзер любит чай.|Юзеру нравится чай.
Есть две кошки.|Аллергия на орехи.|Живёт в Казани.|Никогда не пьёт кофе.|Не пьёт кофе.
Говорит по-французски.|Зовут Аня.|Ненавидит кинзу.|Учится на врача.|Принимает ибупрофен.|Замужем.
Беременна.|Пользователь живёт в Казани.|У пользователя две кошки.|Страдает астмой.|Предпочитает чай.
Не переносит лактозу.
不吃鱼。|不吃肉。|不吃香菜。|吃素。|喜欢茶。|不喜欢鱼。|喜欢喝茶。|素食者。|是素食者。|素食主义者。|在银行工作。|你的狗叫旺财。|您的狗叫旺财。|你对坚果过敏。|你是素食者。|您住在杭州。|你叫李静。
你有两只猫。|这个人住在杭州。|该人住在杭州。|此人住在杭州。|对方住在杭州。|有两只猫。|养了两只猫。|对坚果过敏。|住在杭州。|从不喝咖啡。|不喝咖啡。|会说法语。|叫李静。|讨厌香菜。|学医。|已婚。
怀孕了。|用户住在杭州。|患有哮喘。|偏爱茶。|更喜欢茶。|抽烟。|不抽烟。|左撇子。|糖尿病患者。|从事会计工作。|在北京上班。|在阿里当会计。|不能吃辣。|爱吃辣。|你在银行工作。|你不吃鱼。
你家的狗叫旺财。|住杭州。|生于1990年。
"""
#: What names somebody or something else, or says what anybody can do.
OF_OTHERS = """
Bob lives in Graz.|The server runs on port 80.|The user table has ten rows.|Users may log in twice.
Each person gets a ticket.|You can use tabs.|The dog is called Rex.|A person needs 2 litres of water.
The contact person is Bob.
Bob wohnt in Graz.|Der Server läuft auf Port 80.|Sie laufen auf Port 80.|Sie sind teuer.
Sie wohnt in Graz.|Sie ist allergisch gegen Nüsse.|Sie können Tabs verwenden.|Sie müssen sich anmelden.
Ihr Server läuft auf Port 80.|Die Ansprechperson ist Bob.|Die kontaktierte Person ist Bob.
Die Person im Bild ist Bob.|Jede Person bekommt ein Ticket.|Das Team isst mittags zusammen.
Der Hund heißt Rex.|Bobs Hund heißt Rex.|Eine Person wohnt dort.|Die API hat zehn Routen.|Isst.
Die Tests laufen.|Ihr Ticket ist AB-12.
Bob vive en Graz.|El servidor usa el puerto 80.|No hay tests.|No existe la tabla.|No funciona en Windows.
Le corresponde al equipo.|A Ana le gusta el té.|Ana no come pescado.|La persona de contacto es Bob.
Cada persona recibe un billete.|Puedes usar tabuladores.|Puede usar tabuladores.|Debes iniciar sesión.
La tabla tiene diez filas.|El perro se llama Rex.|Se reinicia cada noche.|No se reinicia.
Está en el puerto 80.|Como el servidor es lento, usamos caché.|Su puerto es el 80.
Tienes que iniciar sesión.
Bob habite à Graz.|Le serveur tourne sur le port 80.|Ne fonctionne pas sous Windows.|Ne pas redémarrer.
Anna n'aime pas le poisson.|La personne à contacter est Bob.|Chaque personne reçoit un billet.
Vous pouvez utiliser des tabulations.|Vous devez vous connecter.|La table a dix lignes.
Le chien s'appelle Rex.|A été redémarré.|Tourne sur le port 80.|S'exécute chaque nuit.|Prend dix minutes.
Боб живёт в Граце.|Сервер работает на порту 80.|Анна не ест рыбу.|Контактное лицо — Боб.
Каждый человек получает билет.|Человек должен пить воду.|В команде пять человек.|Этот сервер старый.
Вы можете использовать табуляцию.|Ты должен войти.|Собаку зовут Рекс.|Собаку Ани зовут Рекс.
Анне нравится чай.|Есть две таблицы.|Принимает два аргумента.|Аннотация типа обязательна.
小王住在杭州。|小王不吃鱼。|服务器在80端口。|在生产环境运行。|有三个表。|不支持Windows。|不能重启。|用户表有十行。|每个用户可以登录两次。|每个人一张票。|这个人工智能模型很大。
你可以用制表符。|您需要登录。|狗叫旺财。|小王的狗叫旺财。|在周五部署。|会重启。|会议在周一。|学习率是0.1。|有问题。|吃内存。|在银行工作的人很多。|素食者协会在杭州。|对方服务器超时。|是旧版本。
叫做主键。|用PostgreSQL。|养老金计算在模块X。|抽象类不能实例化。|生于2019年的项目。|住宅项目在杭州。
Mrs. Vegan runs the shop.|Exports go to the U.S. Has the government received assurances?
María vive en Madrid. Su perro se llama Rex.|Anna und Ben sind verheiratet. Sie wohnen in Graz.
"""
#: What begins a statement about the user, and what begins the same about others; what both go on with.
BEGUN = {
    "de": ("Isst|Trinkt|Mag|Verträgt|Sie essen|Sie mögen|Die Person isst|Der User mag|Die Userin hasst|Du isst",
           "Bob isst|Anna mag|Das Team trinkt|Sie nutzt|Er verträgt|Die Kinder essen|Unsere Firma liebt",
           "keine Pilze|kein Lamm|keinen Käse"),
    "es": ("No come|Come|Toma|Odia|No le gusta|Le encanta|Te encanta|No comes|La persona no come|Usted come|Nunca toma",
           "Bob no come|A Ana no le gusta|El equipo toma|El servicio usa|A Bob le encanta|Los niños comen",
           "queso|el cordero|pan"),
    "fr": ("Ne mange pas|Mange|N'aime pas|Ne boit pas|Tu manges|Vous aimez|La personne mange|La personne n'aime pas",
           "Bob ne mange pas|Anna n'aime pas|L'équipe mange|Le service utilise|Il mange|Les enfants mangent",
           "le fromage|du pain|les champignons"),
    "ru": ("Не ест|Любит|Не нравится|Не переносит|Ты не ешь|Вы любите|Тебе нравится|Человек не ест|Юзеру нравится",
           "Боб не ест|Анне нравится|Команда любит|Сервис использует|Он не ест|Ей нравится|Дети едят",
           "сыр|баранину|грибы"),
    "zh": ("不吃|不太吃|从不吃|喜欢吃|不喜欢|你不吃|您喜欢|此人不吃|对方喜欢|爱吃|很少吃",
           "小王不吃|李静喜欢|团队喜欢|服务使用|他不吃|她爱吃|孩子们吃",
           "奶酪|羊肉|蘑菇"),
}  # fmt: skip


def _each(table):
    return [said for line in table.strip().splitlines() for said in line.split("|")]


@pytest.mark.parametrize("said", _each(OF_THE_USER))
def test_what_names_nobody_is_about_whomever_the_scope_belongs_to(said):
    assert tells_of_the_user(said, owned=True)
    assert tells_of_the_user(f"- {said}", owned=True)


@pytest.mark.parametrize("said", _each(OF_OTHERS))
def test_what_is_of_others_or_of_a_program_is_not_about_the_user(said):
    assert not tells_of_the_user(said, owned=True)


@pytest.mark.parametrize("code", BEGUN)
def test_so_it_is_whatever_is_told(code):
    of_the_user, of_others, objects = (words.split("|") for words in BEGUN[code])
    blank, stop = ("", "。") if code == "zh" else (" ", ".")
    for told in objects:
        for begun in of_the_user:
            assert tells_of_the_user(f"{begun}{blank}{told}{stop}", owned=True), (begun, told)
        for begun in of_others:
            assert not tells_of_the_user(f"{begun}{blank}{told}{stop}", owned=True), (begun, told)
