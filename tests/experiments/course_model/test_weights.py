"""The weights: few bits, loaded nearly as trained."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from experiments.course_model import weights
from helpers import models
from helpers.models.course_weights import WORDS, from_bits
from tests.experiments.course_model.small import bare_base
from tests.strategies import few


@few
@given(seed=st.integers(0, 99), bits=st.integers(2, 8), scale=st.floats(1e-2, 1e3))
def test_what_is_packed_comes_back_nearly(seed, bits, scale):
    matrix = scale * torch.randn(6, 32, generator=torch.Generator().manual_seed(seed))
    matrix[2] = 0
    packed, scales = weights.to_bits(matrix, bits, run=16)
    assert packed.numel() == 6 * 32 * bits // 8 and scales.numel() == 12
    back = from_bits(packed, scales, matrix.shape)
    runs, found = matrix.reshape(-1, 16), back.reshape(-1, 16)
    step = runs.abs().amax(1, keepdim=True) / (2 ** (bits - 1) - 1)
    plain = (runs / step.clamp(1e-30)).round() * step  # one scale for the largest
    errors = [((each - runs) ** 2).sum(1) for each in (found, plain)]
    assert (errors[0] <= 1.15 * errors[1] + 1e-12).all()
    assert not back[2].any()


def test_what_is_loaded_is_nearly_the_trained_model(trained, tiny_bert_folder):
    base = bare_base(tiny_bert_folder)
    bare = {name: weight.clone() for name, weight in base.state_dict().items()}
    models.apply_weights(base, trained.folder)
    loaded, model = base.state_dict(), trained.model
    for name, weight in model.weights().items():
        if not name.startswith("words."):
            change = (weight - bare[name]).norm()
            error = (weight - loaded[name]).norm()
            assert error <= 0.2 * change + 1e-3 * weight.norm(), name
    ids = torch.randint(
        2000, 20000, (3, 20), generator=torch.Generator().manual_seed(0)
    )
    with torch.no_grad():
        found = base.eval()(ids)
        hidden = model.encoder(ids)
        words = model.predictions(hidden.last_hidden_state)
        follows = model.heads.seq_relationship(hidden.pooler_output)
    for own, other in ((words, found.prediction_logits),
                       (follows, found.seq_relationship_logits)):  # fmt: skip
        pair = torch.stack([own.flatten(), other.flatten()])
        assert torch.corrcoef(pair)[0, 1] > 0.99
    table = base.bert.embeddings.word_embeddings.weight
    assert base.cls.predictions.decoder.weight is table
    factors = (model.weights()[f"words.{name}"] for name in ("pieces", "directions"))
    change = torch.matmul(*factors)
    assert (table - bare[WORDS] - change).norm() <= 0.2 * change.norm()
    named = models.load_bert(str(trained.folder), quiet=True)  # by their folder
    assert torch.equal(named.model.embeddings.word_embeddings.weight, table)
