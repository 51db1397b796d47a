"""QTI 1.2 as Canvas reads and writes it: an assessment a chapter, in an IMS package."""

from teaching.quizzes.questions import XML, escaped, html, zipped

ENDING = ".zip"
MANIFEST = """<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
 identifier="inside-bert">
<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>
<organizations/><resources>{resources}</resources></manifest>
"""
RESOURCE = """
<resource identifier="{slug}" type="imsqti_xmlv1p2" href="{slug}.xml">
<file href="{slug}.xml"/></resource>"""
ASSESSMENT = """<questestinterop
 xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="{slug}" title="{title}"><section ident="{slug}-section">
{items}</section></assessment></questestinterop>
"""
ITEM = """<item ident="{name}" title="{title}">
<itemmetadata><qtimetadata>
<qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>multiple_choice_question</fieldentry></qtimetadatafield>
<qtimetadatafield><fieldlabel>points_possible</fieldlabel>
<fieldentry>1</fieldentry></qtimetadatafield>
</qtimetadata></itemmetadata>
<presentation>{text}
<response_lid ident="response1" rcardinality="Single">
<render_choice shuffle="Yes">{0}</render_choice></response_lid></presentation>
<resprocessing><outcomes>
<decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
{1}<respcondition continue="No">
<conditionvar><varequal respident="response1">{right}</varequal></conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition>
</resprocessing>
{2}</item>
"""
LABEL = '<response_label ident="{name}">{text}</response_label>\n'
TOLD = """<respcondition continue="Yes">
<conditionvar><varequal respident="response1">{name}</varequal></conditionvar>
<displayfeedback feedbacktype="Response" linkrefid="{name}_fb"/></respcondition>
"""
FEEDBACK = """<itemfeedback ident="{name}_fb">
<flow_mat>{said}</flow_mat></itemfeedback>
"""


def packed(quizzes):
    """Return the package of some quizzes as bytes; the same for the same questions."""
    listed = "".join(RESOURCE.format(slug=quiz.slug) for quiz in quizzes)
    files = {"imsmanifest.xml": MANIFEST.format(resources=listed)}
    for quiz in quizzes:
        named = {"slug": quiz.slug, "title": escaped(quiz.title)}
        items = "".join(map(_item, quiz.questions))
        files[f"{quiz.slug}.xml"] = ASSESSMENT.format(items=items, **named)
    return zipped({name: (XML + text).encode() for name, text in files.items()})


def _item(question):
    rows = [
        {"name": o.name, "text": _material(html(o.text)), "said": _material(o.feedback)}
        for o in question.options
    ]
    parts = ["".join(map(form.format_map, rows)) for form in (LABEL, TOLD, FEEDBACK)]
    title, text = escaped(question.title), _material(html(question.text))
    of_all = {"name": question.name, "right": question.right}
    return ITEM.format(*parts, title=title, text=text, **of_all)


def _material(content):
    text = f'<mattext texttype="text/html">{escaped(content)}</mattext>'
    return f"<material>{text}</material>"
