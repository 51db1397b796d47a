"""A package of files with an IMS manifest, as both versions of QTI want it."""

import io
import zipfile

from teaching.quizzes.questions import document, element

CONTENT = "http://www.imsglobal.org/xsd/imscp_v1p1"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same questions give the same bytes


def packed(name, schema, version, resources):
    """Return the bytes of a zip.

    resources: rows of (identifier, type, path, root element, identifiers of others that
    it needs).
    """
    listed = [
        element(
            "resource",
            element("file", href=path),
            *(element("dependency", identifierref=other) for other in needs),
            identifier=identifier,
            type=kind,
            href=path,
        )
        for identifier, kind, path, _, needs in resources
    ]
    manifest = element(
        "manifest",
        element(
            "metadata",
            element("schema", schema),
            element("schemaversion", version),
        ),
        element("organizations"),
        element("resources", *listed),
        xmlns=CONTENT,
        identifier=name,
    )
    files = {"imsmanifest.xml": manifest} | {row[2]: row[3] for row in resources}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for path, root in files.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, document(root))
    return stream.getvalue()
