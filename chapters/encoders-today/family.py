"""The encoders that "Encoders today" counts: their classes and their settings."""

import torch
import transformers as T

ROBERTA = dict(max_position_embeddings=514, type_vocab_size=1)
WIDE = dict(hidden_size=768, num_attention_heads=12, intermediate_size=3072)
FAMILY = {
    "BERT-base, 2018": (T.BertModel, T.BertConfig()),
    "RoBERTa-base, 2019": (
        T.RobertaModel,
        T.RobertaConfig(vocab_size=50_265, **ROBERTA),
    ),
    "ALBERT-base, 2019": (T.AlbertModel, T.AlbertConfig(**WIDE)),
    "DistilBERT, 2019": (T.DistilBertModel, T.DistilBertConfig()),
    "XLM-R-base, 2019": (
        T.XLMRobertaModel,
        T.XLMRobertaConfig(vocab_size=250_002, **ROBERTA),
    ),
    "MiniLM-L12, 2020": (
        T.BertModel,
        T.BertConfig(hidden_size=384, intermediate_size=1536),
    ),
    "ELECTRA-base, 2020": (
        T.ElectraModel,
        T.ElectraConfig(embedding_size=768, **WIDE),
    ),
    "DeBERTaV3-base, 2021": (
        T.DebertaV2Model,
        T.DebertaV2Config(
            vocab_size=128_100,
            type_vocab_size=0,
            relative_attention=True,
            position_buckets=256,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            pos_att_type="p2c|c2p",
            position_biased_input=False,
            num_hidden_layers=12,
            **WIDE,
        ),
    ),
    "ModernBERT-base, 2024": (T.ModernBertModel, T.ModernBertConfig()),
    "NeoBERT, 2025": (
        T.LlamaModel,
        T.LlamaConfig(
            vocab_size=30_522,
            num_hidden_layers=28,
            **WIDE | {"intermediate_size": 2048},
        ),
    ),
    "EuroBERT-210m, 2025": (T.EuroBertModel, T.EuroBertConfig()),
    "Qwen3-Embedding-0.6B, 2025": (
        T.Qwen3Model,
        T.Qwen3Config(
            vocab_size=151_669,
            hidden_size=1024,
            intermediate_size=3072,
            num_hidden_layers=28,
            num_attention_heads=16,
            head_dim=128,
            num_key_value_heads=8,
        ),
    ),
    "mmBERT-base, 2025": (T.ModernBertModel, T.ModernBertConfig(vocab_size=256_000)),
    "EmbeddingGemma, 2025": (
        T.Gemma3TextModel,
        T.Gemma3TextConfig(
            vocab_size=262_144,
            hidden_size=768,
            intermediate_size=1152,
            num_hidden_layers=24,
            num_attention_heads=3,
            head_dim=256,
            num_key_value_heads=1,
        ),
    ),
}


def counted(model_class, config):
    """Parameters of a network without content, and those of its table."""
    with torch.device("meta"):  # shapes, no numbers
        network = model_class(config)
    table = network.get_input_embeddings().weight.numel()
    return sum(p.numel() for p in network.parameters()), table
