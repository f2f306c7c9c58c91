"""The room's log as HTML: who said what, as text and nothing else."""

from rescue_agent.page.bubbles import COLOURS, Now, Said, bubbles, gone, private_lines

PEOPLE = ("Orla", "Pavel")


def shown(*turns, now=None, language="en"):
    return bubbles(turns, PEOPLE, now or Now(), language)


def said(speaker, text, to=()):
    return Said(speaker=speaker, to=to, text=text)


def test_what_people_type_and_are_called_is_text():
    page = bubbles([said("<b>Orla", "<script>x</script> & more", ("<i>Pavel",))], ("<b>Orla", "<i>Pavel"), Now(left=("<u>Mo",)))
    assert "&lt;script&gt;x&lt;/script&gt; &amp; more" in page
    assert not any(tag in page for tag in ("<script", "<b>", "<i>", "<u>"))


def test_two_turns_of_one_speaker_are_two_bubbles():
    page = shown(said("Orla", "One."), said("Orla", "Two."))
    assert page.count('class="turn c0"') == 2
    assert page.count('<div class="who">Orla') == 2


def test_each_has_a_colour_of_their_own_and_the_supporter_has_none_of_them():
    page = shown(said("Orla", "One."), said("Pavel", "Two."), said("Supporter", "Three."))
    assert page.index('class="turn c0"') < page.index('class="turn c1"') < page.index('class="turn supporter"')
    assert len(set(COLOURS)) == len(COLOURS)


def test_holding_is_a_quiet_mark_with_its_reason_folded_away():
    page = shown(said("Orla", "One."), now=Now(held="1 row since <it> spoke"))
    assert "listening" in page
    assert "<details>" in page
    assert "1 row since &lt;it&gt; spoke" in page


def test_a_reply_being_written_stands_after_the_turns_and_hides_the_mark():
    page = shown(said("Orla", "One."), now=Now(writing="So far", held="because"))
    assert page.index("One.") < page.index("So far")
    assert "because" not in page


def test_words_that_wait_for_a_facilitator_name_them():
    assert "Mirja" in shown(said("Orla", "One."), now=Now(waits_for="Mirja"))


def test_the_log_is_german_where_the_page_is():
    english, german = (shown(said("Supporter", "One.", ("Couple",)), now=Now(held="x"), language=each) for each in ("en", "de"))
    assert "Begleitung" in german
    assert "listening" not in german
    assert "listening" in english


def test_a_private_talk_and_a_deleted_room_are_text_too():
    assert "&lt;x&gt;" in private_lines([(True, "<x>"), (False, "I hear you.")])
    assert 'role="log"' in gone()
