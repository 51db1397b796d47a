"""What "Many processes, many machines" says of its run, and when it is true."""

import numpy as np

from chapters.many_machines import figures
from helpers import glue
from helpers.verdicts import claim


def gap(first, second):
    return float(np.abs(np.asarray(first) - np.asarray(second)).max())


def killed(written):
    plain, renamed = written.values()
    whole = figures.TEXTS * figures.SHARDS
    short = [n for n, count in enumerate(plain) if count < figures.TEXTS]
    glue("small_lost", whole - sum(plain))
    glue("small_all", whole)
    glue("short_shard", plain[short[0]] if short else figures.TEXTS)
    left = [(shard, plain[shard]) for shard in short]
    claim(
        "plain-loses",
        left == list(figures.STOPS) and len(plain) == figures.SHARDS,
        f"{plain}",
        "mathematics",
    )
    claim("renamed-whole", sum(renamed) == whole, f"{renamed}", "mathematics")


def job(made, table, loop, left, bad):
    """made: {start: shards}; table: of all rows; bad: rows that cannot be read."""
    one, other, later = (set(made[name]) for name in made)
    reasons = set(table.row[table.reason.notna()])
    rows = table.row.tolist()
    vectors = table[table.reason.isna()]
    wanted = loop[vectors.row.to_numpy() % len(loop)]
    glue("later_shards", len(later))
    claim(
        "missing-alone-made",
        not one & other
        and later == set(range(12)) - one - other
        and other == {1, 3}
        and one == {0, 2, 4, 6, 8, 10},
        f"{made}",
        "mathematics",
    )
    claim("no-row-lost", rows == list(range(96)), f"{len(rows)} rows", "mathematics")
    claim("unfinished-left", len(left) == 1, f"{len(left)}", "mathematics")
    claim("bad-rows-kept", reasons == set(bad), f"{reasons}", "mathematics")
    claim(
        "job-matches-loop",
        gap(np.stack(vectors.vector), wanted) < 1e-4,
        about="mathematics",
    )


def load(table):
    """table: visitors, batches, requests a second, median and slowest, by rows."""
    by = table.set_index(["batches", "visitors"])
    rate, slowest = by["requests a second"], by["slowest of 20, ms"]
    median = by["median, ms"]
    glue("rate_one", float(rate["of one", 16]))
    glue("rate_many", float(rate["up to 16", 16]))
    glue("slow_one", float(slowest["of one", 16]))
    glue("slow_many", float(slowest["up to 16", 16]))
    glue("alone_one", float(median["of one", 1]))
    glue("alone_many", float(median["up to 16", 1]))
    said = f"{rate['of one', 16]:.0f} and {rate['up to 16', 16]:.0f} a second"
    claim(
        "batching-serves-more",
        rate["up to 16", 16] > 1.25 * rate["of one", 16],
        said,
        "mathematics",
    )
    claim(
        "crowd-waits-less",
        slowest["up to 16", 16] < slowest["of one", 16],
        f"{slowest.round().to_dict()}",
        "mathematics",
    )
    claim(
        "lone-waits-longer",
        median["up to 16", 1] > median["of one", 1] + 3,
        f"{median.round().to_dict()}",
        "mathematics",
    )


def client(tried, halved, vectors, reasons, loop, asked):
    """The eight texts of the picture, and those that went through a server."""
    alone = [one for one, _ in halved]
    claim(
        "batch-halved",
        [5] in tried
        and [one for one in alone if one] == [[n] for n in range(8) if n != 5]
        and alone[5] is None,
        about="mathematics",
    )
    none = [place for place, vector in enumerate(vectors) if vector is None]
    kept = [place for place, reason in enumerate(reasons) if reason]
    claim(
        "bad-two-refused",
        none == kept == [32, 33] and len(vectors) == len(asked) == 35,
        f"{none}, {kept}",
        "mathematics",
    )
    served = np.array(vectors[:32], np.float32)
    claim("served-match-loop", gap(served, loop) < 1e-4, about="mathematics")


def lengths(loop):
    norms = np.linalg.norm(loop, axis=1)
    glue("norm_low", float(norms.min()))
    glue("norm_high", float(norms.max()))


def shares(found):
    off = {first: gap(mean, whole) for first, (_, mean, whole) in found.items()}
    (one, other), mean, whole = found[5]
    glue("five_mean", float(mean[0]))
    glue("five_whole", float(whole[0]))
    claim("equal-shares-agree", off[4] < 1e-9, about="mathematics")
    claim(
        "unequal-shares-differ",
        off[5] > 0.01 and off[7] > 0.01,
        f"{off}",
        "mathematics",
    )


def training(table):
    """table: largest difference of the losses, by way of training."""
    column, first = table["one process and two"], table["from 8 rows"]
    same = {name for name in column.index[:6] if column[name] < 1e-4}
    like = {name for name in first.index[:6] if first[name] < 1e-4}
    glue("dropout_apart", float(column["dropout"]))
    glue("rows_apart", float(column["another order"]))
    glue("doubled_apart", float(first["gradient doubled"]))
    ways = set(column.index[:6])
    claim(
        "spread-training-agrees",
        same == ways - {"dropout", "last batch of 7"},
        f"{column.to_dict()}",
        "mathematics",
    )
    claim(
        "accumulating-same-training",
        like == {"8 rows", "2 x 4 rows"},
        f"{first.to_dict()}",
        "mathematics",
    )
    claim(
        "shared-fault-hidden",
        column["gradient doubled"] < 1e-4 < first["gradient doubled"],
        about="mathematics",
    )


def adamw(tuned, apart):
    blind = apart(tuned[1]["AdamW"], tuned[1]["AdamW, doubled"])
    seen = apart(tuned[1]["8 rows"], tuned[1]["gradient doubled"])
    glue("blind", float(blind))
    claim("adamw-hides-fault", blind < 1e-3 < seen, f"{blind}", "mathematics")


def cost(hours, size):
    glue("cost_gib", 1e6 * size * 4 / 2**30)
    glue("hours_one", float(hours.hours[1]))
    glue("hours_many", float(hours.hours[64]))
    claim(
        "machine-hours-remain",
        hours.hours.is_monotonic_decreasing
        and hours["machine hours"].is_monotonic_increasing,
        about="mathematics",
    )


def engines(ways):
    after, rows = ways["made after"], 303
    losses = ways[["lost", "doubled", "lost after", "doubled after"]]
    glue("served_after", int(after["Ray Serve"]))
    claim(
        "engines-lose-none",
        bool((ways["set aside"] == 2).all() and (losses == 0).all(axis=None)),
        about="results",
    )
    claim(
        "engines-match-loop",
        bool((ways.difference < 1e-5).all() and (ways.pooling == "mean").all()),
        about="results",
    )
    claim(
        "engines-begin-anew",
        bool((after[["datasets", "Ray Data"]] >= rows).all()),
        about="results",
    )
    claim("client-keeps-answers", after["Ray Serve"] < 0.75 * rows, about="results")
