"""The data sets of the EC-FS paper: what each is, where it is to be had, how it is recognised."""

from collections.abc import Mapping
from dataclasses import dataclass

_NO_LICENCE = "No licence stated by the authors; in use for research."


@dataclass(frozen=True, kw_only=True)
class Source:
    """What is known of a public data set.

    Attributes
    ----------
    name, description, citation, licence : str
        What it is, who made it, and what is known of the terms of use.
    shape : tuple of int
        Samples and features.
    classes : mapping from label to int
        The size of each class, in the order in which the classes first appear where the order of
        the rows is known (that is, where `values_sha256` is).
    paper_shape : tuple of int, optional
        Samples and features in Table 1 of the paper; None if the set is not in it.
    openml : int, optional
        Its number at OpenML.
    matrix_url : str, optional
        The address of a CSV matrix, features × samples, the samples class by class.
    file_sha256 : str, optional
        The checksum of an NPZ file that is known to be right.
    values_sha256 : str, optional
        The result of `featrank.datasets.checks.values_checksum`.
    total : int, optional
        The sum of all values, where no better checksum is known.
    """

    name: str
    description: str
    citation: str
    licence: str
    shape: tuple[int, int]
    classes: Mapping[str | int, int]
    paper_shape: tuple[int, int] | None = None
    openml: int | None = None
    matrix_url: str | None = None
    file_sha256: str | None = None
    values_sha256: str | None = None
    total: int | None = None

    @property
    def address(self) -> str | None:
        """The public address, or None if there is none."""
        if self.openml is not None:
            return f"https://www.openml.org/d/{self.openml}"
        return self.matrix_url


_SOURCES = [
    Source(
        name="colon",
        description="Colon tissue, 40 tumours (t) and 22 normal (n); raw intensities.",
        citation=(
            "U. Alon et al., Broad patterns of gene expression revealed by clustering analysis of "
            "tumor and normal colon tissues probed by oligonucleotide arrays, PNAS 96 (1999) 6745."
        ),
        licence=_NO_LICENCE,
        shape=(62, 2000),
        classes={"t": 40, "n": 22},
        paper_shape=(62, 2000),
        openml=45087,
        file_sha256="363d09affa4cb7c06263f478e6d73291fa5ad3207e4a1427a8b810aa05f0c1b3",
        values_sha256="1da07d8ca1a68f7056c363d4422c0946cf0cf9839fbbc2e30d0e258fb7056096",
    ),
    Source(
        name="leukemia",
        description="Acute leukaemias, 47 ALL and 25 AML; raw intensities, some negative.",
        citation=(
            "T. R. Golub et al., Molecular classification of cancer: class discovery and class "
            "prediction by gene expression monitoring, Science 286 (1999) 531."
        ),
        licence=_NO_LICENCE,
        shape=(72, 7129),
        classes={"ALL": 47, "AML": 25},
        paper_shape=(72, 7129),
        openml=1104,
        file_sha256="286f0cbed65c84e77c98e04d241c81318a8a255544f213d99e86306ccec85b37",
        values_sha256="7ec75d249ae5aa221f3c1a194ce943ecbf39309ed3072e44cb4967b28ac5266f",
    ),
    Source(
        name="lymphoma",
        description=(
            "Diffuse large B-cell lymphomas, 23 activated (ACL) and 22 germinal centre (GCL); log "
            "ratios, 3.3 % of them missing."
        ),
        citation=(
            "A. A. Alizadeh et al., Distinct types of diffuse large B-cell lymphoma identified by "
            "gene expression profiling, Nature 403 (2000) 503."
        ),
        licence=_NO_LICENCE,
        shape=(45, 4026),
        classes={"ACL": 23, "GCL": 22},
        paper_shape=(45, 4026),
        openml=1101,
        file_sha256="aa20e352fce9b64bf0f2ac2c660dd325f20f6a2d4ac9e8963ccd375117b051c7",
        values_sha256="7422478d83e6a53975fd6336747fea186bf7a56245f934aceb211e595e3e09fb",
    ),
    Source(
        name="prostate",
        description=(
            "Prostate tissue, 50 normal (0) and 52 tumours (1); logarithms, each sample "
            "standardised."
        ),
        citation=(
            "D. Singh et al., Gene expression correlates of clinical prostate cancer behavior, "
            "Cancer Cell 1 (2002) 203."
        ),
        licence=_NO_LICENCE,
        shape=(102, 6033),
        classes={0: 50, 1: 52},
        paper_shape=(102, 6034),
        matrix_url="https://hastie.su.domains/CASI_files/DATA/prostmat.csv",
        file_sha256="07ab37dd4bd506c728f2b89f69e0438dbea5b1beff75eaa3fe7266594fd9ad9f",
        values_sha256="2342ba22a9d0504ebc50ed7365b9a0a15a050e8844c151cb8c93d550c1088ad6",
    ),
    Source(
        name="madelon",
        description=(
            "Artificial: clusters on a hypercube, 5 useful features, 15 combinations of them and "
            "480 probes; the first 2000 rows are the training part, the last 600 the validation "
            "part."
        ),
        citation=(
            "I. Guyon, S. Gunn, A. Ben-Hur, G. Dror, Result analysis of the NIPS 2003 feature "
            "selection challenge, NIPS 17 (2004)."
        ),
        licence="CC BY 4.0 as stated by the UCI repository.",
        shape=(2600, 500),
        classes={-1: 1300, 1: 1300},
        paper_shape=(4400, 500),
        openml=1485,
        file_sha256="94d4319746c65c08911a6c298b045bb8cd0378dc584f12531846c0c6501ce113",
        values_sha256="d0933913a71d923596fbe790682322f261504cecf5a792f0d6402c593254ea6c",
    ),
    Source(
        name="gina",
        description=(
            "Two-digit handwritten numbers, odd or even; the training part of GINA (agnostic)."
        ),
        citation=(
            "I. Guyon, A. Saffari, G. Dror, G. Cawley, Agnostic learning vs. prior knowledge "
            "challenge, IJCNN (2007) 829."
        ),
        licence=_NO_LICENCE,
        shape=(3153, 970),
        classes={1: 1550, -1: 1603},
        paper_shape=(3153, 970),
        openml=41158,
        total=164947945,
    ),
    Source(
        name="gina_like_mnist",
        description=(
            "Not GINA: two-digit numbers built from MNIST by the recipe published for GINA, odd or "
            "even; features named tens_* are pixels of the tens digit, known distractors."
        ),
        citation=(
            "Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, Gradient-based learning applied to "
            "document recognition, Proceedings of the IEEE 86 (1998) 2278."
        ),
        licence="Derived from MNIST. " + _NO_LICENCE,
        shape=(3468, 970),
        classes={1: 1705, -1: 1763},
        file_sha256="9b8308b16c9adf13213cf9e0a5d0d5575f130f12161c9ce86f9fce58670d2452",
        values_sha256="8dcb641b85c2ddc24c164f55a2b50e2b6f3c75cfe890b21ffe8219568d7ebd41",
    ),
]

REGISTRY: dict[str, Source] = {source.name: source for source in _SOURCES}
