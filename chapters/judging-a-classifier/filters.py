"""Ways to tell spam from ham, and how far their probabilities can be believed.

The chapter "Fine-tuning" builds the same steps in its own cells, on few messages.
`experiments/spam_filters.py` scores them on the official SMS Spam Collection.
"""

import copy
import warnings

import numpy as np
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from helpers.spam import encode, pad
from helpers.training import batches, train


def expected_calibration_error(labels, probability, bins=10):
    """Return the mean gap between the probability of spam and its share, by bins.

    The messages are put into bins of equal width by their probability. A bin's gap is
    the difference between the mean probability in it and the share of spam in it, and
    weighs as much as the bin has messages (Guo, Pleiss, Sun and Weinberger 2017, for
    the probability of class 1). labels, probability: (n,) each. Raises ValueError
    where their lengths differ and for what is no probability.

    >>> expected_calibration_error([1, 1, 0, 0], [0.95, 0.95, 0.55, 0.55])
    0.3...
    """
    labels, probability = np.asarray(labels, float), np.asarray(probability, float)
    if not len(labels) or labels.shape != probability.shape:
        raise ValueError("give one probability for each label, and at least one")
    if not ((probability >= 0) & (probability <= 1)).all():
        raise ValueError("a probability is not between 0 and 1, or is nan")
    place = np.minimum((probability * bins).astype(int), bins - 1)
    gaps = [abs((labels - probability)[place == number].sum()) for number in set(place)]
    return float(sum(gaps) / len(labels))


def tfidf_classifier():
    """Return the baseline, unfitted: TF-IDF of words under logistic regression.

    With scikit-learn's default C, 1, the baseline would look worse than it is.

    >>> tfidf_classifier().fit(["Win a prize", "See you"], [1, 0]).predict(["A prize"])
    array([1])
    """
    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=100, max_iter=2000))


def classifier(bert, seed, lora=False, classes=2):
    """Return a BertForSequenceClassification on a copy of the encoder.

    The head is drawn with `seed`. lora: freeze the copy, but not its pooler, and add
    matrices of rank 8 to every weight matrix of each layer (Hu et al. 2022).

    >>> classifier(bert, seed=0).num_labels
    2
    """
    from peft import LoraConfig, get_peft_model
    from transformers import BertForSequenceClassification

    torch.manual_seed(seed)
    config = copy.deepcopy(bert.model.config)
    config.num_labels = classes
    model = BertForSequenceClassification(config)
    model.bert.load_state_dict(bert.model.state_dict())
    if lora:
        adapter = LoraConfig(
            task_type="SEQ_CLS",
            r=8,
            lora_alpha=16,
            target_modules=r".*\.layer\..*(query|key|value|dense)",
            modules_to_save=["pooler", "classifier"],
        )
        with warnings.catch_warnings():  # peft uses a name that transformers will drop
            warnings.simplefilter("ignore", FutureWarning)
            model = get_peft_model(model, adapter)
    return model.to(bert.device)


def fine_tune(bert, texts, labels, seed, lora=False, epochs=3, size=16, rate=None):
    """Train a `classifier` on the texts; returns it, in evaluation mode.

    rate: the learning rate at its height; None takes 1e-4, for LoRA 1e-3, which had the
    lowest losses of data/results/sms-spam-rates.csv at a width of 384.

    >>> model = fine_tune(bert, ["Win a prize", "Hi"], [1, 0], seed=0, epochs=1)
    >>> model.training
    False
    """
    model = classifier(bert, seed, lora)
    rows, labels = encode(bert, texts), torch.tensor(list(labels))
    plan = batches(len(rows), size, epochs, seed)

    def batch_at(step):
        chosen = plan[step]
        return {**pad(bert, [rows[i] for i in chosen]), "labels": labels[chosen]}

    train(
        model,
        batch_at,
        len(plan),
        learning_rate=rate or (1e-3 if lora else 1e-4),
        warmup=0.1,
        seed=seed,
    )
    return model
