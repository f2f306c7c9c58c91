# ruff: noqa: E501  (a table: one rule a line)
"""The rules of the guard, English and German, on the plain form of a text (`rescue_agent.safety.normalise`).

Idioms are taken out first. Denials don't count as denials of anything: "I'm not suicidal, I just don't want to wake up" is read for what follows.
"""

import re
from dataclasses import dataclass
from typing import Final

from rescue_agent.safety.levels import Family, Level


@dataclass(frozen=True)
class Rule:
    """A pattern that raises `family` to `level`."""

    family: Family
    level: Level
    pattern: re.Pattern[str]


_IDIOMS: Final = r"""
\b(traffic|commute|heat|cold|shoes?|feet|back|head|knees?|legs?|suspense|waiting|job|boss|schedule|stairs|rent|homework|diet|noise|queue) (is|are|was|were)( absolutely| really| just)? killing (me|us|him|her|them)\b
\b(is|are|was|were)( absolutely| really| just)? killing it\b|\bkill(ed|s|ing)? (it|the (lights?|engine|mood|music|time|vibe|conversation|joke|ad|sound))\b|\bkill(ed|ing)? (some |an hour|two hours|off the )?(time|hours?|rumou?rs?)\b
\b(dying|die|died|dies) (of|from|with) (embarrassment|laughter|laughing|boredom|curiosity|shame|hunger|thirst|heat|envy|jealousy)\b|\bdying (to (see|know|hear|meet|try|tell|go|get|have|eat)|for a\b)|\bto die for\b
\b(phone|battery|laptop|car|engine|wifi|signal|plant|plants|goldfish|line|call|computer|tablet|radio|printer|conversation|joke|party) (has |had |just |is |was )*(died|dying|dead)\b
\bdead (tired|serious|end|line|lines|last|easy|quiet|silence|weight|right|wrong|sure|slow|boring|battery|on my feet)\b|\bdrop dead (gorgeous|handsome)\b|\bover my dead body\b|\bdead to the world\b
\b(hit|hits|hitting|goes?|went|going) (the|through the) (roof|road|gym|sack|hay|town|books|ceiling|jackpot|nail|brakes|pause|snooze|reset)\b|\bblew (my|his|her|their) top\b
\b(beat|beats|beating|thrash(ed|es)?|destroy(ed|s)?|crush(ed|es)?|kill(ed|s)?|slaughter(ed|s)?|murder(ed|s)?) (me|us|him|her|them|you)( again| both)? (at|in) (chess|cards|tennis|scrabble|the game|monopoly|golf|ping pong|football|poker|darts|mario kart|the quiz|badminton|bowling)\b
\bfought (all night|all day|again|about|over|on the phone|like cats and dogs|for|so hard)\b|\bfight(ing|s)? (about|over|for)\b|\b(shot|shoot) (down|the breeze|some hoops|a film|a video|me (a|an) (text|email|mail|message))\b|\bshot in the dark\b
\b(murder|murdered|slaughtered|butchered) (the|that|this|a) (song|language|solo|cake|joke|pronunciation|tune)\b|\bit's murder (on|getting|finding)\b|\bget away with murder\b|\bkill(er)? (app|heels|view|recipe|joke|bees?)\b
\b(i|he|she|they|we)('d| would| could)? (could |would )?(kill|murder) for (a|an|some|one)\b|\b(mum|mom|dad|she|he|they|my (mum|mom|dad|mother|father|wife|husband|boss))('s| is|'ll| will| would|'d)? (gonna |going to )?kill (me|us) (if|when|for (being|coming|forgetting|this))\b
\bhang (out|on|up|in there|around|the (washing|picture|curtains|coat|lamp))\b|\bhanging (out|on|around|up)\b|\bpull the trigger on\b|\bbite the bullet\b|\bjump(ed|ing)? (the (gun|queue)|in|to conclusions|at the chance)\b|\bcut (it|corners|the (cake|grass|crap)|me off|him off|her off|down on|back on)\b
\b(bomb(ed)?|explod(ed|es|ing)|exploding) (the (test|exam|interview)|with laughter)\b|\bstabs? in the (back|dark)\b|\bchok(ed|ing) (up|on the (penalty|exam|last))\b|\bdrown(ing|ed)? in (work|paper|paperwork|laundry|emails?|dishes|debt)\b|\bburn(ed|t|ing)? (out|the (toast|dinner|cake|candle))\b
\bich (lach|lache) mich tot\b|\btotgelacht\b|\btodmude\b|\bsterbensmude\b|\bsterbenslangweilig\b|\bzu tode (gelangweilt|gelacht|erschrocken)\b|\bzum totlachen\b|\bich sterbe vor (hunger|langeweile|scham|neugier|lachen)\b|\bakku (ist|war) tot\b|\bhandy ist (gestorben|tot)\b|\btotsicher\b|\btote hose\b|\bbringt mich (noch )?um den verstand\b|\bder (verkehr|larm|stress|job) bringt mich (noch )?um\b|\bmordshunger\b|\bhimmelhoch\b
"""
IDIOMS: Final = re.compile("|".join(line for line in _IDIOMS.strip().splitlines()))

_SELF, _OTHER, _HARM = Family.SELF_HARM, Family.SELF_HARM_OF_OTHER, Family.HARM_TO_OTHERS
_VIOLENCE, _CONTROL, _CHILD, _STALKING, _MEDICAL = (
    Family.PARTNER_VIOLENCE,
    Family.COERCIVE_CONTROL,
    Family.CHILD_AT_RISK,
    Family.STALKING,
    Family.MEDICAL_EMERGENCY,
)
_LOW, _MODERATE, _HIGH, _IMMINENT = Level.LOW, Level.MODERATE, Level.HIGH, Level.IMMINENT
_I: Final = r"\b(i|i'm|i've|i'd|i'll|im|ive|id|me)\b.{0,60}"
_SOMEBODY: Final = r"\b(he|she|they|he's|she's|they're|you|you're|my (wife|husband|partner|son|daughter|brother|sister|mother|father|mum|mom|dad|friend|ex))\b.{0,60}"
_KILL_ONESELF: Final = r"(kill(ing|ed|s)? (my ?self|him ?self|her ?self|them ?sel(f|ves)|your ?self)|kms\b|unalive|suicid\w*|sucid\w*|suicde|end(ing|ed|s)? (my|his|her|their|your) (own )?li(fe|ves)|end(ing)? it all|tak(e|ing|en) (my|his|her|their|your) own life|took (my|his|her|their) own life|off(ing)? myself|hang(ing|ed)? (my|him|her|them)sel(f|ves)|slit(ting)? (my|his|her|their) wrists?|overdos(e|ed|ing)|jump(ing|ed)? (off|from) (a|the) (bridge|roof|balcony|building|cliff)|in front of (a|the) train)"

_RULES: Final[tuple[tuple[Family, Level, str], ...]] = (
    # self-harm and suicide, of the speaker
    (_SELF, _HIGH, _KILL_ONESELF),
    (
        _SELF,
        _HIGH,
        r"\b(want|wanted|wanna|going|gonna|plan|planning|ready|decided|like|rather|wish(ed)?) (to )?(die|be dead)\b|\bi('d| would) (rather|better) (die|be dead)\b|\bwish i (was|were) dead\b|\bi should (just )?(die|be dead)\b|\blet me die\b|\bbetter off dead\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(don'?t|do not|didn'?t|not|never) (want|wanna|wish)( to)? (be here|be alive|wake up|live|go on living|exist|keep living|be around|see tomorrow|go on)( any ?more| again| tomorrow)?\b|\b(hope|wish|pray|want) (i|to) (don'?t |never |not |wouldn'?t |just )*(wake up|disappear|vanish|fall asleep)\b|\bgo to sleep and (not|never) wake\b|\bfall asleep (and|for) (not|never|good|ever)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(they|you|everyone|everybody|the (kids|children|family)|he|she|all of you|people|world)('d| would| will|'ll)? (all )?(be )?(much )?better( off)? without me\b|\b(better off|easier|happier) (for (all|everyone|everybody|you|them|him|her) )?(if i (was|were|weren'?t|wasn'?t|were not)|without me|when i'?m gone|once i'?m gone)\b|\bif i (was|were) (gone|not here|out of the way|no longer here)\b|\bnobody would (notice|miss|care)( me)? if i\b|\bno ?one would (notice|miss me|care)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bno (point|reason|sense)( left)?( for me)? (in|to|of) (living|live|going on|go on|being alive|being here|any of it)\b|\blife (is ?n'?t|isn't|is not) worth (living|it)\b|\bnot worth (living|being alive)\b|\bdone with (life|living|everything|all of it)\b|\btired of (living|life|being alive|being here|existing)\b|\bcan'?t (go on|do this|take (it|this)|live like this|keep going|carry on)( like this)?( any ?more| any longer)\b|\bready to (give up|go|let go) for good\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bgave (away )?my (dog|cat|things|guitar|watch|ring|records|clothes|books)( away)?\b|\b(given|giving) away my\b|\bwrote (my |the |a )?(goodbye|good bye|farewell) (letters?|notes?)|\b(goodbye|farewell|suicide) (letter|note)s?\b|\bput my affairs in order\b|\bpaid (for )?my (own )?funeral\b|\bmade my will\b.{0,40}\b(last|soon|over)\b|\bthis is (my )?goodbye\b|\byou won'?t (have to worry about me|see me again|have to put up with me)( much longer| any ?more)?\b|\bi won'?t be (here|around|a (burden|problem))( for)?( (much )?longer| any ?more| next| by| at christmas| then)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(i'?m|i am|been|just) (nothing but |only |such )?a burden\b|\bi (just )?want (it|everything|all of it|the pain) (all )?to (stop|end|be over)\b|\bsleep (and|for) (ever|not wake)|\bhow many (pills|tablets)\b|\bwhat would happen if i (took|swallowed|jumped|drove)\b|\bdriv(e|ing|en) (in)?to (a|the) (tree|wall|river|bridge)\b|\bstood (on|at) the (bridge|tracks|platform|edge|balcony|roof)\b|\bthink(ing)? (about|of) (dying|death|not being here|ending things|ending it)\b|\bthoughts? of (dying|ending|death)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(cut|cutting|burn|burning|hurt|hurting|harm|harming|scratch|hit|hitting)(s|ed)? (my ?self|my (arms?|wrists?|legs?|thighs?)|him ?self|her ?self|them ?sel(f|ves))\b|\bself[ -]?harm\w*\b|\bstart(ed)? cutting\b",
    ),
    (
        _SELF,
        _IMMINENT,
        r"\b(i|i'?ve|just|already) (have )?(took|taken|swallowed) (all |the whole |a whole |too many |all of )?(the |my |a )?(whole )?(bottle|pills|tablets|packet|pack)\b|\bi have (the|a|my) (gun|rope|pills|knife|razor|blade|tablets)\b.{0,30}\b(here|ready|in my hand|next to me|with me|tonight)\b|\b(gun|rope|pills|knife|razor|blade) (is |are )?(in my hand|in front of me|ready|next to me|on the table)\b|\b(tonight|today|now|in an hour) (i('?ll| will|'?m going to|'?m gonna) )?(end it|do it|kill myself|be over)\b|\bgoing to (do|end) it (tonight|now|today|right now)\b|\bi'?m (on|at) the (bridge|roof|ledge|tracks)\b|\bkill myself (tonight|now|today|right now)\b",
    ),
    (
        _SELF,
        _HIGH,
        r"\bich (will|wollte|mochte|kann) (nicht mehr leben|sterben|tot sein|nicht mehr da sein)\b|\b(bring|bringe|brachte|umbringen|umzubringen|umgebracht).{0,20}\b(mich|um)\b.{0,20}\b(um|umbringen)?\b(?<=um)|\bmich (selbst )?um(zu)?bringen\b|\bselbstmord\w*\b|\bsuizid\w*\b|\bmir (etwas|was) (an|anzu)tun\b|\bmir das leben nehmen\b|\bschluss machen mit (allem|dem leben)\b|\bmich (ritze|geritzt|ritzen)\b|\bpulsadern\b|\bvor (den|einen) zug\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bnicht mehr aufwachen\b|\bohne mich (ware|waret|waren|seid|geht|ging).{0,30}\bbesser\b|\bbesser (dran|ohne mich)\b|\b(allen|euch|ihnen) (ginge|geht) es besser ohne mich\b|\bwenn ich nicht mehr (da|hier) (bin|ware)\b|\bkeinen sinn mehr\b|\b(hat|macht) alles keinen sinn\b|\bnur (noch )?(eine|zur) last\b|\bkann (einfach )?nicht mehr weiter(leben|machen)?\b|\babschiedsbrief\w*\b|\blebensmude\b|\bmeinen hund weggegeben\b|\bdann bin ich weg\b.{0,20}\bimmer\b",
    ),
    # reported about somebody else
    (
        _OTHER,
        _HIGH,
        _SOMEBODY
        + r"(wants?|wanted|threaten(s|ed|ing)?( to)?|tried|said|says|told|going|gonna|plan(s|ned)?).{0,40}("
        + _KILL_ONESELF
        + r"|\bto die\b|want(s|ed)? to die|be dead)",
    ),
    (
        _OTHER,
        _MODERATE,
        _SOMEBODY
        + r"(said|says|told|wrote|texted|talks?|keeps? saying).{0,40}(better off without (him|her|them|me)|doesn'?t want to (live|be here|wake up)|not (want|wanting) to (live|be here)|no reason to live|won'?t be here)",
    ),
    (
        _OTHER,
        _HIGH,
        r"\b(er|sie|mein \w+|meine \w+) .{0,40}(bringt sich um|will sich (um|das leben)|wollte sich umbringen|will nicht mehr leben|hat sich geritzt|mit selbstmord)\b",
    ),
    # harm to others
    (
        _HARM,
        _HIGH,
        r"\bi('?ll|'?m going to|'?m gonna| will| am going to| could| want to| swear i'?ll)( fucking| really| just)? (kill|strangle|stab|shoot|murder|hurt|beat|choke|smash|poison) (you|him|her|them|that (man|woman|bitch|bastard)|the (kid|baby|neighbou?r|dog)|somebody|someone|(my|your) \w+)\b|\bi'?ll (make (him|her|you|them) pay with|break (his|her|your|their) (neck|jaw|legs?|bones))\b|\bput (him|her|them|you) in (the|a) (ground|grave|hospital)\b",
    ),
    (
        _HARM,
        _HIGH,
        r"\bich (bring|bringe|mach|mache|schlag|schlage|stech|steche|erschie\w*) (ihn|sie|dich|den|die|euch)( \w+)? (um|tot|kalt|ab|zusammen)\b",
    ),
    (
        _HARM,
        _MODERATE,
        r"\b(i'?m|i am|i get|i'?m so) (so )?(afraid|scared|worried) (of what )?i('?ll| might| could|'m going to)? (might )?(do|hurt|hit)( something)?( to (him|her|them|the (kids?|baby|children)))?\b|\bthoughts? (of|about) (hurting|killing|harming) (him|her|them|someone|somebody|people|the (baby|kids?|children))\b",
    ),
    # violence between partners or in the family
    (
        _VIOLENCE,
        _HIGH,
        r"\b(he|she|they|you|my (husband|wife|partner|boyfriend|girlfriend|ex|father|dad|mother|mum|mom|brother|son|stepdad|step-?father))('?s|'?ve| has| have| had| would| will)?( \w+){0,2} ((hit|hits|hitting|punch(ed|es)?|slap(ped|s)?|kick(ed|s)?|chok(ed|es|ing)|strangl(ed|es|ing)|beats?|beaten|bit) (me|us|him|her|them|the (kids?|children|baby))\b(?! (where|up about|with (that|a (question|story|bill|joke)))|( a| an) |( to it| at ))|(shov(ed|es)|push(ed|es)|drag(ged|s)|threw|grab(bed|s)) (me|us|him|her|them) (down|against|into|off|over|across|by|around|out|so hard|to the (floor|ground|wall)|around)\b|(grab(bed|s)|twist(ed|s)|pull(ed|s)|squeez(ed|es)|burn(ed|t|s)) my (arm|head|face|hair|throat|wrist|neck))",
    ),
    (
        _VIOLENCE,
        _HIGH,
        r"\b(hands?|fingers?) (were |was |are )?(around|on|round) my (neck|throat)\b|\bpinned me (to|against|down|on)\b|\bthrew .{0,25} at (me|my head|us)\b|\bput (his|her|a) (fist|hand) through the (wall|door)\b|\bblack eye\b|\bbruis(es|ed|e)\b.{0,40}\b(he|she|him|her|from)\b|\b(forced|forces|made|makes) me to (have sex|sleep with|do things|touch)\b|\braped?( me)?\b|\bsex (when|though|although|even when) i (said no|don'?t want|didn'?t want)\b|\bwon'?t take no for an answer in bed\b",
    ),
    (
        _VIOLENCE,
        _HIGH,
        r"\b(threaten(s|ed|ing)?|said (he|she|they)('d| would|'ll)) (to )?(kill|hurt|hit|shoot|stab) (me|us|the (kids?|children|dog|cat)|my \w+)\b|\b(i'?m|i am|we'?re|i get|i was) (so |really |always )?(afraid|scared|frightened|terrified) (of (him|her|them|my (husband|wife|partner|boyfriend|girlfriend|father|dad|mother|stepdad|step-?father)|what (he|she|they)('?ll| will| might| would|'?d) do)|when (he|she) (comes|gets) (home|angry|drunk)|(he|she)('?ll| will| might) (hurt|hit|kill))\b|\b(he|she) (pulled|has|keeps|showed me|waved) (a|the|his|her) (knife|gun)\b",
    ),
    (
        _VIOLENCE,
        _HIGH,
        r"\b(er|sie|du|mein (mann|freund|vater|partner)|meine (frau|freundin|mutter)) .{0,25}\b(schlagt|schlug|geschlagen|gewurgt|wurgt|getreten|verprugelt|geohrfeigt|gestossen|geschubst|vergewaltigt)\b|\bangst vor (ihm|ihr|meinem (mann|freund|vater|partner)|meiner frau)\b|\b(hat|hatte) mich (geschlagen|gewurgt|getreten|gepackt|verprugelt)\b|\bschlagt mich\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\b(he|she|they|you|my (husband|wife|partner|boyfriend|girlfriend|ex))('?s| has| have|'?ve)?( \w+){0,2} (won'?t|doesn'?t|don'?t|didn'?t|never|not) (let|lets|allow|allows|letting|allowing) (me|us) (to )?(see (my|any|anyone|friends)|go (out|to|anywhere|home|and)|work|leave( the| home|$)|out( of| alone| with)|have (a job|friends|my|money|any)|use (the|my)|talk to|meet|drive|call my|spend|study|wear|visit)\b|\bnot allowed to (see|go|work|leave|have (a|my)|use|talk|meet|drive|call|spend|visit)\b.{0,50}\b(he|she|him|her|says|home|money|friends|family|sister|brother|mother|parents|phone)?|\b(takes?|took|keeps?|kept|hid|hides|locked away) my (passport|keys|phone|papers|wages|salary|bank card|card|money|documents|id|visa)\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\b(locks?|locked|locking) me (in|out|up)\b|\b(controls?|decides?) (all|every) (my|the|of my) (money|penny|cent|move|step|clothes)\b|\b(have|has|need) to (ask|beg) (him|her|them|my (husband|wife|partner)) (for (money|permission)|before i|if i (can|may))\b|\b(reports?|report) me to (immigration|the police|the authorities)\b|\btake the (kids|children) away( from me)?\b.{0,30}\bif i\b|\bif i (leave|left|go|ever leave).{0,40}(kill|never see the (kids|children)|regret it|take the (kids|children)|hurt|find me)\b|\b(timed|times|counts) (how long|the minutes|my)\b.{0,30}\b(shop|shower|toilet|gone|out)\b|\bhave to (send|show) (him|her|them) (a )?(photo|picture|proof|receipt|where i am)s?\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\b(er|sie|mein (mann|freund|partner)|meine (frau|freundin)) .{0,40}(verbietet mir|lasst mich nicht|sperrt mich ein|kontrolliert (mein|alles)|hat mir den (pass|ausweis)|nimmt mir (das handy|mein geld))\b|\bich darf (nicht|keine|niemanden) .{0,40}(raus|arbeiten|treffen|freunde|familie|telefonieren|geld)\b|\beingesperrt\b",
    ),
    (
        _STALKING,
        _MODERATE,
        r"\b(track(s|ed|ing|er)?|gps|spyware|air ?tag) .{0,30}\b(my|her|his|their|your|me) ?(phone|car|bag|location|every move)?\b|\b(reads?|reading|checks?|checking|goes through|went through|look(s|ing)? through) (all )?(my|her|his|your) (messages|texts|phone|e-?mails?|diary|whatsapp)\b(?! (bill|case|number|battery))|\b(follow(s|ed|ing)?|waits?|waiting|turns? up|shows? up|stands?) .{0,20}(me (home|to work|everywhere|around)|outside my (work|house|flat|school|window))\b|\b(won'?t stop|keeps?) (following|calling me|stalking)\b|\bstalk(s|ed|er|ing)\b|\b(verfolgt|stalkt|uberwacht) mich\b|\bliest meine nachrichten\b|\bortet mein handy\b",
    ),
    # a child at risk
    (
        _CHILD,
        _HIGH,
        r"\b(hit|hits|hitting|beat|beats|beating|shook|shaking|shakes|slap(ped|s)?|kick(ed|s)?|burn(ed|t)|lock(ed|s)?|touch(ed|es)|hurt(s)?|chok(ed|es)|belt(ed|s)?) (the|our|my|his|her|your) (baby|kids?|child(ren)?|son|daughter|boy|girl|toddler|little (one|boy|girl|brother|sister))\b(?! (a|an) )|\b(touch(es|ed)|touching) (me|him|her) (where|in ways|at night|down there|under)\b|\bleft the (baby|kids?|children) (alone|by themselves|on their own)\b.{0,30}\b(night|all day|hours|weekend|drunk)\b|\b(my |step)?(dad|father|stepdad|uncle|mum|mother) (hits|beats|touches|locks) me\b|\b(comes|came) into my (room|bed) at night\b",
    ),
    (
        _CHILD,
        _HIGH,
        r"\b(schlagt|schlug|schuttelt|geschuttelt|einsperrt|misshandelt|missbraucht) .{0,20}(das|die|den|unser|unsere|mein|meine) ?(kind(er)?|baby|sohn|tochter|kleinen?)\b|\bfasst mich (nachts|so|da) an\b",
    ),
    # medical emergency
    (
        _MEDICAL,
        _IMMINENT,
        r"\b(can'?t|cannot|not able to|isn'?t|not|stopped|hardly) (breathe|breathing)\b|\b(chest pain|pain in (my|his|her) chest|chest (is|feels) (tight|crushing)|(i think |is |am |'m |'s )having (a|an) (heart attack|stroke|seizure|fit)|unconscious|passed out|won'?t wake up|not waking up|turning blue|overdosed|bleeding (heavily|a lot|badly|out)|anaphyla\w*|swallowed (bleach|poison|a battery))\b|\b(face|arm|side) (is |has gone |went )?(drooping|numb)\b.{0,30}\b(speech|talk|arm|face|side)\b|\b(keine luft|bekomme keine luft|herzinfarkt|schlaganfall|bewusstlos|wacht nicht auf|blutet stark|krampfanfall)\b",
    ),
)
RULES: Final = tuple(Rule(family, level, re.compile(pattern)) for family, level, pattern in _RULES)

DISTRESS: Final = re.compile(
    r"\b(hopeless|desperate|devastated|worthless|unbearable|falling apart|breaking down|at (my|the) (limit|end)|panic(king)?|can'?t stop crying|numb|empty inside|hate myself|hasse mich|verzweifelt|am ende|wertlos)\b"
)
HARM_HELP: Final = re.compile(
    r"\b(how (do|can|could|would|to) (i |we )?|help me (to )?|can you (help me )?|tell me how to )(track|spy on|read|get into|hack|unlock|follow|secretly|make (him|her|them) stay|stop (him|her|them) (from )?leaving|keep (him|her|them) from leaving)\b"
)
