"""Where data sets come from: a named folder, a checked download, or the project.

A download is checked against its sha256 and moved into the cache whole; a server that
did not answer is not asked again in the same process.
"""

import io
import os
import threading
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pooch
import requests

from helpers import DATA

SECONDS_TO_ANSWER = 3

_failures = {}  # title of a set -> why its files cannot be had: asked once a process


@dataclass(frozen=True)
class OfficialSet:
    """A published data set that is downloaded when first needed.

    title: its name in messages. variable: start of the names of its environment
    variables, <variable>_HOME and <variable>_URL. url: a folder of files, or a .zip
    archive that holds them. cache: its folder in the cache. layout: what the folder
    that <variable>_HOME names must look like.
    """

    title: str
    variable: str
    url: str
    cache: str
    layout: str

    @property
    def home(self):
        """What <variable>_HOME names: a folder, "sample", or None."""
        return os.environ.get(f"{self.variable}_HOME") or None

    @property
    def advice(self):
        return (
            f"{self.variable}_HOME must name {self.layout}, or be "
            '"sample" for the course\'s own sentences'
        )

    def named_folder(self):
        """Return the folder that `home` names; FileNotFoundError where it is none."""
        root = Path(self.home).expanduser().resolve()
        if not root.is_dir():
            raise FileNotFoundError(f"{root} is not a folder: {self.advice}")
        return root

    def downloaded(self, checksums):
        """Return the cache folder that holds all the files named, or None.

        checksums: name of a file -> its sha256. All files or none; where they cannot
        be had, one line that says why is printed, once a process.
        """
        url = os.environ.get(f"{self.variable}_URL") or self.url
        packed = urlsplit(url).path.endswith(".zip")
        files = pooch.create(
            path=pooch.os_cache("inside-bert") / self.cache,
            base_url=url,
            registry=checksums,
            urls=dict.fromkeys(checksums, url) if packed else None,
        )
        if _is_cached(files):
            return files.abspath
        if self.title not in _failures:
            if reason := _download(files, url, packed):
                _failures[self.title] = reason
                self._say(reason)
        return None if self.title in _failures else files.abspath

    def _say(self, reason):
        home = f"{self.variable}_HOME"
        print(
            f"{self.title}: using the course's own small sample, because {reason}. For "
            f"the official set, restart with a network or set {home} to a "
            f"folder that holds it; {home}=sample chooses the sample."
        )


def project_data(name):
    """Return the path of a file or folder of the project's own data."""
    path = DATA / name
    if not path.exists():
        raise FileNotFoundError(
            f"{path} is missing: helpers must stay in the course's own folder, "
            "installed from there with 'pip install -e .'"
        )
    return path


def require(folder, names, advice):
    """Raise FileNotFoundError for the first of `names` that `folder` lacks."""
    for name in names:
        if not (folder / name).is_file():
            raise FileNotFoundError(f"{folder / name} is missing: {advice}")


def _is_cached(files):
    return all(
        (files.abspath / name).is_file()
        and pooch.file_hash(files.abspath / name) == sha256
        for name, sha256 in files.registry.items()
    )


def _download(files, url, packed):
    """Fetch all `files`; return None, or the reason why not."""
    pooch.get_logger().setLevel("WARNING")  # else five lines a word
    downloader = pooch.HTTPDownloader(timeout=SECONDS_TO_ANSWER)
    try:
        _knock(url)
        for name in files.registry:
            fetch = _unpacking(downloader, name) if packed else downloader
            files.fetch(name, downloader=fetch)
    except (OSError, ValueError) as error:
        return _reason(error, url, files.abspath)
    return None


def _unpacking(downloader, name):
    """Return a downloader for pooch that keeps the file `name` of a zip archive.

    So it is the file, not the archive, that pooch compares with its sha256.
    """

    def download(url, output, files):
        archive = io.BytesIO()
        downloader(url, archive, files)
        try:
            content = zipfile.ZipFile(archive).read(name)
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
            raise ValueError(f"{url} is no archive that holds {name}") from error
        Path(output).write_bytes(content)

    return download


def _knock(url):
    """Raise requests.RequestException unless the server of `url` answers in time.

    In a thread, because the timeout of requests covers neither the look-up of the
    name nor a host with several addresses, each of which is waited for in turn.
    """
    outcome = [requests.Timeout()]

    def ask():
        try:
            requests.head(url, timeout=SECONDS_TO_ANSWER)
            outcome.append(None)
        except requests.RequestException as error:
            outcome.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(SECONDS_TO_ANSWER)
    if outcome[-1] is not None:
        raise outcome[-1]


def _reason(error, url, folder):
    host = urlsplit(url).netloc or url
    if isinstance(error, requests.HTTPError):
        return f"{host} answered {error.response.status_code}"
    if isinstance(error, requests.RequestException):
        return f"{host} cannot be reached"
    if isinstance(error, ValueError):
        return f"what {host} sent does not match its checksum"
    return f"{folder} cannot be written ({error.strerror or error})"
