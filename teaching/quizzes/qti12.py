"""QTI 1.2 as Canvas reads and writes it: an assessment a chapter."""

from teaching.quizzes import packages
from teaching.quizzes.questions import element, html, inline

ENDING = ".zip"
SPACE = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
RESPONSE = "response1"


def packed(quizzes):
    """Return the package of some quizzes as bytes."""
    resources = [
        (quiz.slug, "imsqti_xmlv1p2", f"{quiz.slug}.xml", _assessment(quiz), [])
        for quiz in quizzes
    ]
    return packages.packed("inside-bert", "IMS Content", "1.1.3", resources)


def _assessment(quiz):
    section = element(
        "section", *map(_item, quiz.questions), ident=f"{quiz.slug}-section"
    )
    assessment = element("assessment", section, ident=quiz.slug, title=quiz.title)
    return element("questestinterop", assessment, xmlns=SPACE)


def _item(question):
    return element(
        "item",
        _metadata(),
        _presentation(question),
        _processing(question),
        *map(_feedback, question.options),
        ident=question.name,
        title=question.title,
    )


def _metadata():
    fields = [
        _field("question_type", "multiple_choice_question"),
        _field("points_possible", "1"),
    ]
    return element("itemmetadata", element("qtimetadata", *fields))


def _presentation(question):
    choice = element("render_choice", *map(_label, question.options), shuffle="Yes")
    response = element("response_lid", choice, ident=RESPONSE, rcardinality="Single")
    return element("presentation", _material(inline(question.text)), response)


def _processing(question):
    """The feedback of the option that was chosen, and all points for the right one."""
    score = element(
        "decvar", maxvalue=100, minvalue=0, varname="SCORE", vartype="Decimal"
    )
    scored = element(
        "respcondition",
        element("conditionvar", _chosen(question.right)),
        element("setvar", "100", action="Set", varname="SCORE"),
        continue_="No",
    )
    told = map(_told, question.options)
    return element("resprocessing", element("outcomes", score), *told, scored)


def _field(name, value):
    return element(
        "qtimetadatafield", element("fieldlabel", name), element("fieldentry", value)
    )


def _material(content):
    return element("material", element("mattext", html(content), texttype="text/html"))


def _label(option):
    return element("response_label", _material(inline(option.text)), ident=option.name)


def _chosen(name):
    return element("varequal", name, respident=RESPONSE)


def _told(option):
    return element(
        "respcondition",
        element("conditionvar", _chosen(option.name)),
        element(
            "displayfeedback", feedbacktype="Response", linkrefid=f"{option.name}_fb"
        ),
        continue_="Yes",
    )


def _feedback(option):
    return element(
        "itemfeedback",
        element("flow_mat", _material(option.feedback)),
        ident=f"{option.name}_fb",
    )
