"""QTI 2.1: an item a question, and one test with a section a chapter."""

from teaching.quizzes import packages
from teaching.quizzes.questions import element, inline

ENDING = ".zip"
SPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"
TEST = "test"


def packed(quizzes):
    """Return the package of some quizzes as bytes."""
    items = [
        (q.name, "imsqti_item_xmlv2p1", f"items/{q.name}.xml", _item(q), [])
        for quiz in quizzes
        for q in quiz.questions
    ]
    names = [name for name, *_ in items]
    test = (TEST, "imsqti_test_xmlv2p1", "test.xml", _test(quizzes), names)
    return packages.packed("inside-bert", "QTIv2.1 Package", "1.0.0", [test, *items])


def _test(quizzes):
    sections = [
        element(
            "assessmentSection",
            *(
                element(
                    "assessmentItemRef", identifier=q.name, href=f"items/{q.name}.xml"
                )
                for q in quiz.questions
            ),
            identifier=f"section-{quiz.slug}",
            title=quiz.title,
            visible="true",
        )
        for quiz in quizzes
    ]
    part = element(
        "testPart",
        element("itemSessionControl", showFeedback="true"),
        *sections,
        identifier="part",
        navigationMode="nonlinear",
        submissionMode="individual",
    )
    title = quizzes[0].title if len(quizzes) == 1 else "Inside BERT"
    return element("assessmentTest", part, xmlns=SPACE, identifier=TEST, title=title)


def _item(question):
    return element(
        "assessmentItem",
        *_declarations(question),
        element("itemBody", _interaction(question)),
        _processing(),
        *map(_feedback, question.options),
        xmlns=SPACE,
        identifier=question.name,
        title=question.title,
        adaptive="false",
        timeDependent="false",
    )


def _declarations(question):
    """Yield the item's variables: the response, the score and the feedback."""
    chosen = {"cardinality": "single", "baseType": "identifier"}
    right = element("correctResponse", element("value", question.right))
    yield element("responseDeclaration", right, identifier="RESPONSE", **chosen)
    yield element(
        "outcomeDeclaration",
        element("defaultValue", element("value", "0")),
        identifier="SCORE",
        cardinality="single",
        baseType="float",
    )
    yield element("outcomeDeclaration", identifier="FEEDBACK", **chosen)


def _interaction(question):
    return element(
        "choiceInteraction",
        element("prompt", *inline(question.text)),
        *(
            element("simpleChoice", *inline(option.text), identifier=option.name)
            for option in question.options
        ),
        responseIdentifier="RESPONSE",
        shuffle="true",
        maxChoices=1,
    )


def _processing():
    """A point for the right option, and the feedback of the one that was chosen."""
    response = element("variable", identifier="RESPONSE")
    right = element("match", response, element("correct", identifier="RESPONSE"))
    return element(
        "responseProcessing",
        element(
            "responseCondition",
            element("responseIf", right, _score(1)),
            element("responseElse", _score(0)),
        ),
        element("setOutcomeValue", response, identifier="FEEDBACK"),
    )


def _score(points):
    value = element("baseValue", str(points), baseType="float")
    return element("setOutcomeValue", value, identifier="SCORE")


def _feedback(option):
    return element(
        "modalFeedback",
        element("p", *option.feedback),
        outcomeIdentifier="FEEDBACK",
        identifier=option.name,
        showHide="show",
    )
