"""Swift source with its comments and the text of its strings blanked out, so that a search sees code alone.

Lines and columns stay where they were. What stands in an interpolation, `"\\(here)"`, is code and stays. A regular
expression literal that holds a lone quote would be misread; the house writes none.
"""

import re

STRING_START = re.compile(r'(#*)("""|")')


def code_only(text):
    out = list(text)
    scan_code(text, 0, out, closing=None)
    return "".join(out)


def blank(out, start, end):
    for index in range(start, end):
        if out[index] != "\n":
            out[index] = " "


def scan_code(text, at, out, closing):
    """Walks code from `at`; returns the offset behind the parenthesis that closes an interpolation, or the end."""
    depth = 0
    while at < len(text):
        if text.startswith("//", at):
            at = skip_line_comment(text, at, out)
        elif text.startswith("/*", at):
            at = skip_block_comment(text, at, out)
        elif text[at] in '#"' and (start := STRING_START.match(text, at)):
            at = scan_string(text, start, out)
        else:
            if text[at] == "(":
                depth += 1
            elif text[at] == ")":
                if closing and depth == 0:
                    return at + 1
                depth -= 1
            at += 1
    return at


def skip_line_comment(text, at, out):
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    blank(out, at, end)
    return end


def skip_block_comment(text, start, out):
    """Swift's block comments nest."""
    at, depth = start, 0
    while at < len(text):
        if text.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                break
        else:
            at += 1
    blank(out, start, at)
    return at


def scan_string(text, start, out):
    """From the opening quote to behind the closing one; interpolations go back to scan_code."""
    hashes, quote = start.groups()
    close, escape = quote + hashes, "\\" + hashes
    at = blanked = start.end()
    while at < len(text):
        if text.startswith(close, at):
            blank(out, blanked, at)
            return at + len(close)
        if text.startswith(escape, at):
            at += len(escape)
            if text.startswith("(", at):
                blank(out, blanked, at + 1)
                at = blanked = scan_code(text, at + 1, out, closing=")")
            else:
                at += 1
        elif text[at] == "\n" and quote == '"':
            break  # an unclosed string is the compiler's to report
        else:
            at += 1
    blank(out, blanked, min(at, len(text)))
    return at
