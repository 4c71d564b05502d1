"""Texts as an address may show them: percent-encoded, some characters more often than others, some full-width."""

import unicodedata
from urllib.parse import unquote


def encoded(text, at_random):
    """A text in random encodings, which `decoded` gives back; a % of it stays one."""
    shown = ""
    for written in text:
        is_wide = at_random.random() < 0.1 and "!" <= written <= "~" and written != "%"
        sign = chr(ord(written) + 0xFEE0) if is_wide else written
        for _ in range(at_random.choice((0, 0, 1, 1, 2, 3))):
            hexed = sign.encode().hex()
            pairs = (hexed[place : place + 2] for place in range(0, len(hexed), 2))
            sign = "".join(f"%{pair.upper() if at_random.random() < 0.5 else pair}" for pair in pairs)
            if at_random.random() < 0.5:  # The % alone has to be encoded again.
                sign = sign.replace("%", "%25")
        shown += sign
    return shown


def decoded(text):
    """A text without any percent-encoding, and with its characters as they are usually written."""
    while text != (text := unquote(text)):
        pass
    return unicodedata.normalize("NFKC", text)
