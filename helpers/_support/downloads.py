"""Where data sets come from: a named folder, a checked download, or the project.

A download is checked against its sha256 and moved into the cache whole, by one process
at a time; servers that failed are not asked again in the same process.
"""

import hashlib
import io
import os
import time
import zipfile
import zlib
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import filelock
import pooch
import requests
from urllib3.exceptions import DecodeError, HTTPError, ReadTimeoutError
from urllib3.util import Retry

from helpers import DATA
from helpers._support.deadline import in_time
from helpers._support.whole_files import alone, replace

SECONDS_TO_ANSWER = 3
SECONDS_TO_FETCH = 180  # for all files and mirrors: a slow line, not the whole class
SECONDS_TO_MOVE, BYTES_TO_MOVE = 10, 10_000  # less than that is no line at all
MOST_BYTES = 50_000_000
RETRIES = 2  # after an error of the server that may pass
SECONDS_BEFORE_RETRY = 0.3  # doubled each time
LONGEST_RETRY_AFTER = 5  # seconds, whatever the server asks for
MISMATCH = "sent what does not match its checksum"
TOO_LONG = "takes too long"

_failures = {}  # title of a set -> why its files cannot be had: asked once a process


class _Fault(Exception):
    """Why a server is of no use, to be read on after its name."""


class _BrokeOff(_Fault):
    """A fault that a second attempt may mend."""


@dataclass(frozen=True)
class OfficialSet:
    """A published data set that is downloaded when first needed.

    title: its name in messages. variable: start of the names of its environment
    variables, <variable>_HOME and <variable>_URL (an address, or several with spaces
    between, tried in turn). url: a folder of files, or a .zip archive that holds them.
    cache: its folder in the cache. layout: what the folder that <variable>_HOME names
    must look like.
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
        folder = _cache(self.cache)
        if folder and not _lacking(folder, checksums):
            return folder
        if self.title not in _failures:
            urls = os.environ.get(f"{self.variable}_URL", "").split() or [self.url]
            if reason := _download(folder, checksums, urls):
                _failures[self.title] = reason
                self._say(reason)
        return None if self.title in _failures else folder

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


# The cache


def _cache(name):
    """Return the folder `name` of the cache, or None for a user without a home."""
    try:
        cache = Path(pooch.os_cache("inside-bert"))
    except RuntimeError:
        return None
    return cache / name if cache.is_absolute() else None


def _lacking(folder, checksums):
    """List the files that `folder` does not hold as they should be."""
    return [n for n, sha256 in checksums.items() if _sha256(folder / n) != sha256]


def _sha256(path):
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:  # not there, or not ours to read
        return None


def _download(folder, checksums, urls):
    """Fetch what `folder` lacks; return None, or the reason why not."""
    if folder is None:
        return "there is no home folder to keep it in (XDG_CACHE_HOME can name one)"
    until, reasons = time.monotonic() + SECONDS_TO_FETCH, []
    for url in urls:
        try:
            _knock(url)  # before the lock, so that nobody waits for the others' wait
            with alone(folder, until - time.monotonic()):
                for name in _lacking(folder, checksums):
                    content = _fetch(url, name, checksums[name], until)
                    replace(folder / name, content)
            return None
        except filelock.Timeout as error:
            return f"another process holds {error.lock_file} for too long"
        except (_Fault, requests.RequestException, ValueError) as error:
            reasons.append(_reason(error, url))
        except OSError as error:
            return f"{folder} cannot be written ({error.strerror or error})"
    return "; ".join(reasons)


# The server


def _knock(url):
    """Raise unless the server of `url` answers in time."""
    ask = partial(requests.head, url, timeout=SECONDS_TO_ANSWER)
    _in_time(ask, SECONDS_TO_ANSWER, "cannot be reached")


def _in_time(call, seconds, fault):
    """Return what `call` returns; raise the `fault` where that takes too long."""
    try:
        return in_time(call, seconds)
    except TimeoutError:
        raise _Fault(fault) from None


def _fetch(url, name, sha256, until):
    """Return the bytes of the file `name`, checked; a broken line is tried twice."""
    packed = urlsplit(url).path.endswith(".zip")
    get = partial(_get, url if packed else f"{url.rstrip('/')}/{name}")
    try:
        content = _in_time(get, until - time.monotonic(), TOO_LONG)
    except _BrokeOff:
        content = _in_time(get, until - time.monotonic(), TOO_LONG)
    content = _unpack(content, name) if packed else content
    if hashlib.sha256(content).hexdigest() != sha256:
        raise _Fault(MISMATCH)
    return content


def _unpack(archive, name):
    try:
        return zipfile.ZipFile(io.BytesIO(archive)).read(name)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
        raise _Fault(MISMATCH) from error


def _get(url):
    """Return all that the server sends for `url`."""
    retries = Retry(
        total=RETRIES,
        connect=0,
        read=False,
        status_forcelist=(429, 500, 502, 503, 504),
        backoff_factor=SECONDS_BEFORE_RETRY,
        retry_after_max=LONGEST_RETRY_AFTER,
        raise_on_status=False,
    )
    with requests.Session() as session:
        session.max_redirects = 5
        for scheme in ("http://", "https://"):
            session.mount(scheme, requests.adapters.HTTPAdapter(max_retries=retries))
        try:
            response = session.get(url, timeout=SECONDS_TO_ANSWER, stream=True)
        except requests.Timeout:
            raise
        except requests.ConnectionError:
            raise _BrokeOff("cannot be reached") from None
        with response:
            response.raise_for_status()
            if "html" in response.headers.get("Content-Type", ""):
                raise _Fault("sent a web page (does this network want a log-in?)")
            return _read(response.raw)


def _read(stream):
    """Read to the end; _Fault for a line that stands still, trickles or never ends."""
    content, before, since = bytearray(), 0, time.monotonic()
    try:
        while piece := stream.read1(2**16, decode_content=True):
            content += piece
            if len(content) > MOST_BYTES:
                raise _Fault("sends far more than the file")
            if time.monotonic() - since > SECONDS_TO_MOVE:
                if len(content) - before < BYTES_TO_MOVE:
                    raise _Fault("sends too slowly")
                before, since = len(content), time.monotonic()
    except ReadTimeoutError:
        raise _Fault("stopped sending") from None
    except DecodeError:
        raise _Fault(MISMATCH) from None
    except HTTPError:
        raise _BrokeOff("broke off") from None
    return bytes(content)


def _reason(error, url):
    """Say in a few words why the server of `url` is of no use."""
    host = url.partition("://")[2].partition("/")[0] or url
    if isinstance(error, _Fault):
        return f"{host} {error}"
    if isinstance(error, requests.HTTPError):
        return f"{host} answered {error.response.status_code}"
    if isinstance(error, requests.TooManyRedirects):
        return f"{host} sends from one address to the next"
    return f"{host} cannot be reached"
