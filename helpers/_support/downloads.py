"""Where data sets come from: a named folder, a checked download, or the project.

`pooch` downloads, repeats and checks; what it has fetched is moved into the cache
whole. A set that could not be had is not asked for again in the same process.
"""

import os
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import filelock
import pooch
import requests

from helpers import DATA
from helpers._support.deadline import in_time
from helpers._support.this_run import OFFICIAL, SAMPLE
from helpers.whole_files import alone, replace

SECONDS_TO_ANSWER = 3
SECONDS_TO_FETCH = 60  # for a file: a slow line, not the whole class
RETRIES = 2  # pooch waits 1 second before the first and 2 before the second

_failures = {}  # title of a set -> why its files cannot be had: asked once a process


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
        """What <variable>_HOME names: a folder, "official", or "sample" if nothing."""
        return os.environ.get(f"{self.variable}_HOME") or SAMPLE

    @property
    def is_named(self):
        """Whether <variable>_HOME names a folder."""
        return self.home not in (OFFICIAL, SAMPLE)

    def named_folder(self, *names):
        """Return the folder that `home` names, which must hold the files `names`.

        Raises FileNotFoundError for what is not there.
        """
        root = Path(self.home).expanduser().resolve()
        faults = [f"{root / n} is missing" for n in names if not (root / n).is_file()]
        if not root.is_dir():
            faults = [f"{root} is not a folder"]
        if faults:
            raise FileNotFoundError(
                f"{faults[0]}: {self.variable}_HOME must name {self.layout}, or be "
                '"official" to download it, or "sample" for the course\'s own sentences'
            )
        return root

    def downloaded(self, checksums):
        """Return the cache folder that holds all the files named, or None.

        checksums: name of a file -> its sha256. All files or none; where they cannot
        be had, one line that says why is printed, once a process.
        """
        folder = _cache_folder(self.cache)
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


def _cache_folder(name):
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
        return pooch.file_hash(path)
    except OSError:  # not there, or not ours to read
        return None


def _download(folder, checksums, urls):
    """Fetch what `folder` lacks; return None, or the reason why not."""
    if folder is None:
        return "there is no home folder to keep it in (XDG_CACHE_HOME can name one)"
    reasons = []
    for url in urls:
        host = url.partition("://")[2].partition("/")[0] or url
        if not _answers(url):  # before the lock, so that nobody waits for others' wait
            reasons.append(f"{host} cannot be reached")
            continue
        try:
            with alone(folder, SECONDS_TO_FETCH):
                for name in _lacking(folder, checksums):
                    fetch = partial(_fetch, url, name, checksums[name])
                    replace(folder / name, in_time(fetch, SECONDS_TO_FETCH))
            return None
        except filelock.Timeout as error:
            return f"another process holds {error.lock_file} for too long"
        except requests.HTTPError as error:
            reasons.append(f"{host} answered {error.response.status_code}")
        except (requests.RequestException, TimeoutError):
            reasons.append(f"{host} did not send the files whole, or not in time")
        except OSError as error:
            return f"{folder} cannot be written ({error.strerror or error})"
        except Exception:  # pooch's for a wrong hash; a damaged archive's are many
            reasons.append(f"{host} sent what does not match its checksum")
    return "; ".join(reasons)


def _answers(url):
    """Whether the server of `url` answers in time: a dead network costs no more."""
    ask = partial(requests.head, url, timeout=SECONDS_TO_ANSWER)
    try:
        in_time(ask, SECONDS_TO_ANSWER)
    except Exception:  # of several libraries, for an address that is none
        return False
    return True


def _fetch(url, name, sha256):
    """Return the bytes of the file `name`, checked."""
    packed = urlsplit(url).path.endswith(".zip")
    what = "archive" if packed else name
    pooch.get_logger().setLevel("WARNING")  # it would tell of each file
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source = pooch.create(
            folder,
            f"{url.rstrip('/')}/",
            # an archive may be packed anew: its own bytes are not what counts
            registry={what: None if packed else sha256},
            urls={"archive": url},
            retry_if_failed=RETRIES,
        )
        unpack = pooch.Unzip(members=[name], extract_dir=".") if packed else None
        source.fetch(what, unpack, pooch.HTTPDownloader(timeout=SECONDS_TO_ANSWER))
        if _sha256(Path(folder, name)) != sha256:
            raise ValueError("another file than the published one")
        return Path(folder, name).read_bytes()
