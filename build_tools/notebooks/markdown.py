"""Turn the MyST of a chapter into Markdown that any notebook interface shows."""

import base64
import re
import textwrap
from html import escape

from markdown_it import MarkdownIt

from build_tools.book.dependencies import name_of
from build_tools.book.numbers import table_of, with_numbers
from build_tools.book.spans import spans_in
from build_tools.live.cells import cell_of
from build_tools.notebooks import pictures
from build_tools.notebooks.works import Works
from helpers.exercises.chapters import LABEL, read_chapters, title_of

ROLE_OR_CODE = re.compile(
    r"\{(?P<role>[\w:.-]+)\}`(?P<text>[^`]+)`|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)",
    re.S,
)
FENCE = re.compile(r"^(`{3,}).*?^\1`*$", re.M | re.S)
HEADING = re.compile(r"(#+) (.+)")
SECTION = re.compile(r"^##+ (.+)", re.M)
LINK = re.compile(r"(.*?)\s*<([^<>]+)>", re.S)
FIELDS = {"glue:text", "claim"}  # filled by the reader's own run
RUBRIC = "A good answer"  # title of the box by which an open question is judged
OWN_WORDS = "*Your answer (double-click here and write):*"
REFERENCES = "chapters/references.md"


class ExportError(ValueError):
    """Something in a chapter that the export does not know."""


class Converter:
    """Converts the Markdown cells of one chapter."""

    def __init__(self, path, root, book):
        """book: its address, or ""."""
        self.path, self.root, self.book = path, root, book
        self.place = path.relative_to(root).as_posix()
        self.works = Works(root)
        chapters = read_chapters(root)
        self.number = next((c.number for c in chapters if c.page == path), None)
        self.places = {
            label: (chapter.page, section)
            for chapter in chapters
            for label, section in ((chapter.slug, ""), *labels_of(chapter.page))
        }
        self._parser = MarkdownIt("commonmark").enable("table")

    def parts(self, text):
        """Yield (kind, text); kind is markdown, glued, own, code or a solution's edge.

        "glued" text has {name:format} fields for values that the cells have glued,
        and its other braces doubled. "own" is a place for the student's own words. A
        solution-start's text is its label.
        """
        text = with_numbers(text, self.number)
        lines, plain = text.split("\n"), 0
        for token in self._parser.parse(text):
            if token.level or not token.map:
                continue
            start, end = token.map
            block = "\n".join(lines[plain:end])
            if token.type == "fence" and token.info.startswith("{"):
                plain = end
                yield from self._directive(token)
            elif token.type.endswith("_open") or token.type in (
                "fence",
                "code_block",
                "html_block",
                "hr",
            ):
                plain = end
                if token.type in ("fence", "code_block"):
                    yield "markdown", block
                else:
                    yield from self._prose(block)

    def numbered_title(self, text):
        """Return the opening of a page with the chapter's number in its title."""
        return text if self.number is None else f"# {self.number}. {text[2:]}"

    def _prose(self, text):
        text = re.sub(r"^(\([\w-]+\)=|%.*)\n?", "", text, flags=re.M)
        if not text.strip():
            return
        text = with_claims(text)
        roles = {match["role"] for match in ROLE_OR_CODE.finditer(text)}
        glued = bool(FIELDS & roles)
        yield "glued" if glued else "markdown", self._roles(text, glued)

    def _directive(self, token):
        name, _, title = token.info.strip()[1:].partition("}")
        options, content = split_options(token.content)
        title = title.strip()
        if name == "exercise-end":
            return
        if name in ("solution-start", "solution-end"):
            yield name, title
        elif name == "exercise-start":
            yield "markdown", f"### Exercise {title}"
        elif name == "admonition" and title == RUBRIC:
            yield "own", OWN_WORDS
            body = "\n\n".join(text.strip() for _, text in self.parts(content))
            yield (
                "markdown",
                f"<details><summary>{RUBRIC}</summary>\n\n{body}\n\n</details>",
            )
        elif name == "admonition":
            yield from self._box(title, content)
        elif name == "figure":
            yield from self._figure(title, options, content)
        elif name == "chapters":
            yield from self.parts(table_of(title, self.root))
        elif name == "live":
            yield from self._live(title, options)
        else:
            raise ExportError(f"{self.place}: no export for the directive {name}")

    def _box(self, title, content):
        """A box becomes a quotation that opens with its title."""
        parts = list(self.parts(content))
        kind = "glued" if any(kind == "glued" for kind, _ in parts) else "markdown"
        texts = [f"**{self._roles(title, False)}**"]
        for own, text in parts:
            as_is = own == kind or kind == "markdown"
            texts.append(text if as_is else _doubled(text))
        body = "\n\n".join(text.strip() for text in texts)
        yield kind, textwrap.indent(body, "> ", lambda line: True)

    def _live(self, kind, options):
        """A cell to type in stands for a widget, which only the book has."""
        book = self.here("the book", f"live-{kind}")
        said = "In this notebook the next cell is the box: change what is in quotes"
        try:
            cell = cell_of(kind, options)
        except KeyError:
            raise ExportError(f"{self.place}: no cell for the live {kind}") from None
        if cell is None:
            yield "markdown", f"*The box that stands here works in {book} alone.*"
        else:
            yield "markdown", f"*{said} and run it. The box itself stands in {book}.*"
            yield "code", cell

    def _figure(self, name, options, caption):
        """The picture travels within the notebook, which may stand anywhere."""
        svg = self.path.parent / name
        if not pictures.is_in_step(svg, self.root):
            raise ExportError(
                f"{self.place}: {name} has changed; draw it: make notebooks"
            )
        png = pictures.place(svg, self.root)
        alt = escape(" ".join(options["alt"].split()))
        picture = (
            f'<img alt="{alt}" width="{pictures.width(png)}" '
            f'src="data:image/png;base64,{base64.b64encode(png.read_bytes()).decode()}">'
        )
        parts = list(self._prose(caption))
        yield "markdown", picture
        yield from parts

    def _roles(self, text, glued):
        """Replace the roles; double the braces of the rest where text is a format."""
        pieces, at = [], 0
        for match in ROLE_OR_CODE.finditer(text):
            between, is_role = text[at : match.start()], match["role"]
            value = self._role(is_role, match["text"]) if is_role else match[0]
            is_field = is_role in FIELDS
            pieces += [_doubled(between) if glued else between]
            pieces += [_doubled(value) if glued and not is_field else value]
            at = match.end()
        pieces += [_doubled(text[at:]) if glued else text[at:]]
        return "".join(pieces)

    def _role(self, name, text):
        if name in FIELDS:
            return "{" + ("claim:" if name == "claim" else "") + text + "}"
        if name in ("cite", "cite:t"):
            return self._citation(name, text)
        if name == "doc":
            return self._link(text)
        if name == "ref":
            found = LINK.fullmatch(text)
            if place := self.places.get(found[2] if found else text):
                return self._link_to(*place, found)
            return found[1]
        if name == "download":
            return self._file(LINK.fullmatch(text))
        raise ExportError(f"{self.place}: no export for the role {name}")

    def _link(self, text):
        found = LINK.fullmatch(text)
        name = found[2] if found else text
        page = self.root / f"{name.lstrip('/')}.md"
        if not page.is_file():
            raise ExportError(f"{self.place}: there is no page {text}")
        return self._link_to(page, "", found)

    def _file(self, found):
        """Link to a file beside the page as a clone has it, seen from notebooks/."""
        file = self.path.parent / found[2]
        if not file.is_file():
            raise ExportError(f"{self.place}: there is no file {found[2]}")
        return f"[{found[1]}](../{file.relative_to(self.root).as_posix()})"

    def _link_to(self, page, section, found):
        """Link to a page, or to the place that JupyterLab gives a section's heading.

        Colab opens the notebook at its top, so the link tells the section's name.
        """
        title = found[1] if found else section or title_of(page)
        if not page.read_text(encoding="utf-8").startswith("---"):
            return self._in_book(title, page)
        name = "" if section and page == self.path else f"{name_of(page)}.ipynb"
        place = f'#{section.replace(" ", "-")} "{section}"' if section else ""
        return f"[{title}]({name}{place})"

    def here(self, words, place):
        """Return words that lead to a place of this page in the book."""
        return self._in_book(words, self.path, f"#{place}")

    def _in_book(self, words, page, place=""):
        """Return words as a link into the book; alone where it has no address."""
        address = page.relative_to(self.root).with_suffix(".html").as_posix()
        return f"[{words}]({self.book}{address}{place})" if self.book else words

    def _citation(self, role, keys):
        names = []
        for key in (key.strip() for key in keys.split(",")):
            if not (work := self.works.cite(key, role)):
                raise ExportError(f"{self.place}: no reference {key}")
            names.append(self._in_book(work, self.root / REFERENCES, f"#ref-{key}"))
        return ", ".join(names) if role == "cite:t" else f"({'; '.join(names)})"


def labels_of(page):
    """Yield (label, section) of a page; section: its heading, "" for the title's."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for found in LABEL.finditer(text):
        above, below = text[: found.start()], text[found.end() :].lstrip()
        titles = SECTION.findall(above)
        own = HEADING.match(below)
        section = own[2] if own else titles[-1] if titles else ""
        yield found[1], "" if own and own[1] == "#" else re.sub(r"[*`]", "", section)


def split_options(content):
    options, lines = {}, content.split("\n")
    while lines and (found := re.fullmatch(r":([\w-]+):\s*(.*)", lines[0])):
        options[found[1]] = found[2]
        lines.pop(0)
    return options, "\n".join(lines)


def with_claims(text):
    """Write [words]{.claim-name} as roles around the words, which become fields."""
    edits = []
    for span in spans_in(text):
        names, after = " ".join(span.claims), span.start + 1 + len(span.words)
        edits += [(span.start, span.start + 1, f"{{claim}}`{names}`")]
        edits += [(after, span.end, f"{{claim}}`/{names}`")]
    for start, end, role in sorted(edits, reverse=True):
        text = text[:start] + role + text[end:]
    return text


def _doubled(text):
    return text.replace("{", "{{").replace("}", "}}")
