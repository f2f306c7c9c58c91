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
        r"\b(don'?t|do not|didn'?t|not|never) (want|wanna|wish)( to)? (be alive|wake up( again| tomorrow| any ?more)?(?! (at|so|before|early|that|alone|next|to|in))|go on living|exist|keep living|be around|see tomorrow|live( any ?more| like this any ?more)?(?! (in|here|with|on|near|there|at|under|out))|(be here|go on) any ?more)\b|\b(don'?t|do not) want to be here\b(?!,? (i|we) want)(?! (with|for|when|today|tonight|at|in)\b)|\b(hope|wish|pray|want) (i|to) (don'?t |never |not |wouldn'?t |just )*(wake up|disappear|vanish|fall asleep)\b|\bgo to sleep and (not|never) wake\b|\bfall asleep (and|for) (not|never|good|ever)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(they|you|everyone|everybody|the (kids|children|family)|he|she|all of you|people|world)('d| would| will|'ll)? (all )?(be )?(much )?better( off)? without me\b|\b(better off|easier|happier) (for (all|everyone|everybody|you|them|him|her) )?(if i (was|were|weren'?t|wasn'?t|were not)|without me|when i'?m gone|once i'?m gone)\b|\bif i (was|were) (gone|not here|out of the way|no longer here)\b|\bnobody would (notice|miss|care)( me)? if i\b|\bno ?one would (notice|miss me|care)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bno (point|reason|sense)( left)?( for me)? (in|to|of) (living|live|going on|go on|being alive|being here|any of it)\b|\blife (is ?n'?t|isn't|is not) worth (living|it)\b|\bnot worth (living|being alive)\b|\bdone with (life|living|everything|all of it)\b|\btired of (living|life|being alive|being here|existing)\b(?! (in|with|out|like|on|here|there|under))|\bcan'?t (go on|do this|live like this|keep going|carry on)( any ?more| any longer)\b(?! with (one|the|this|that)\b)|\bready to (give up|go|let go) for good\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bgave (away )?my (dog|cat|things|guitar|watch|ring|records|clothes|books)( away)?\b|\b(given|giving) away my\b|\b(wrote|written|writing) (my |the )(goodbye |farewell |suicide )?(letters?|notes?)( already| to (you|the kids|everyone))?(?=[.!,;]|$)|\b(my|the) (goodbye|farewell|suicide) (letter|note)s?\b|\bsuicide notes?\b|\bput my affairs in order\b|\bpaid (for )?my (own )?funeral\b|\bmade my will\b.{0,40}\b(last|soon|over)\b|\bthis is (my )?goodbye\b|\byou won'?t (have to worry about me|see me again|have to put up with me)( much longer| any ?more)?\b|\bi won'?t be (here|around|a (burden|problem))( for)?( (much )?longer| any ?more| by then| at christmas)\b|\bi'?m not going to be a (problem|burden)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(i'?m|i am|been) (just |nothing but |only |such )?a burden\b(?! (when|if|in|at|with) )|\bi (just )?want (everything|all of it|it all|the pain) (all )?to (stop|end|be over)\b|\bi (just )?want it (all )?to (end|be over)\b|\bsleep (and|for) (ever|not wake)|\bhow many (pills|tablets)\b|\bwhat would happen if i (took|swallowed|jumped|drove)\b|\bdriv(e|ing|en) (in)?to (a|the) (tree|wall|river|bridge)\b|\bstood (on|at) the (bridge|tracks|platform|edge|balcony|roof)\b|\bthink(ing)? (about|of) (dying|death|not being here|ending things|ending it)\b|\bthoughts? of (dying|ending|death)\b",
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
        r"\b(he|she|they|you|my (husband|wife|partner|boyfriend|girlfriend|ex|father|dad|mother|mum|mom|brother|son|stepdad|step-?father))('?s|'?ve| has| have| had| would| will)?( \w+){0,2} ((hit|hits|hitting|punch(ed|es)?|slap(ped|s)?|kick(ed|s)?|chok(ed|es|ing)|strangl(ed|es|ing)|beats?|beaten|bit) (me|us|him|her|them|the (kids?|children|baby))\b(?! (where|up about|with (that|a (question|story|bill|joke)))|( a| an) |( to it| at ))|(shov(ed|es)|push(ed|es)|drag(ged|s)|threw|grab(bed|s)) (me|us|him|her|them) (down|against|into|off|over|across|by|around|out|so hard|to the (floor|ground|wall)|around)\b|(grab(bed|s)|twist(ed|s)|pull(ed|s)|squeez(ed|es)|burn(ed|t|s)) my (arm|head|face|hair|throat|wrist|neck)(?! (because|so (that )?i|when i slipped|and (helped|held))))",
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
        r"\b(er|sie|du|mein (mann|freund|vater|partner)|meine (frau|freundin|mutter)) .{0,25}\b(schlagt|schlug|gewurgt|wurgt|getreten|verprugelt|geohrfeigt|gestossen|geschubst|vergewaltigt)\b|\b(er|sie|du|mein (mann|freund|vater|partner)|meine (frau|freundin|mutter)) .{0,12}\b(mich|uns|ihn|sie|die kinder) .{0,20}\bgeschlagen\b(?! (beim|im) )|\bangst vor (ihm|ihr|meinem (mann|freund|vater|partner)|meiner frau)\b|\b(hat|hatte) mich (geschlagen|gewurgt|getreten|gepackt|verprugelt)\b|\bschlagt mich\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\b(he|she|they|you|my (husband|wife|partner|boyfriend|girlfriend|ex))('?s| has| have|'?ve)?( \w+){0,2} (won'?t|doesn'?t|don'?t|didn'?t|never|not) (let|lets|allow|allows|letting|allowing) (me|us) (to )?(see (my|any|anyone|friends)|go (out|to|anywhere|home|and)|work|leave( the| home|$)|out( of| alone| with)|have (a job|friends|my|money|any)|use (the|my)|talk to|meet|drive|call my|spend|study|wear|visit)\b|\bnot allowed to (see|meet|visit|call|ring|phone|talk to) (my|any|anyone|friends|people)\b|\bnot allowed to (work|leave the (house|flat|home)|go out|have (a job|friends|money|my phone))\b(?!.{0,30}(doctor|until|yet))|\b(takes?|took|keeps?|kept|holds?|hid|hides|locked away) my (passport|keys|phone|papers|wages|salary|bank card|card|money|documents|id|visa)\b(?!,? (because|with (hers|his)|as (i|we)|in the travel))",
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
        r"\b(track(s|ed|ing|er)?|gps|spyware|air ?tag) .{0,30}\b(my|her|his|their|your|me) ?(phone|car|bag|location|every move)?\b|\b(reads?|reading|checks?|checking|goes through|went through|look(s|ing)? through) (all )?(my|her|his|your) (messages|texts|phone|e-?mails?|diary|whatsapp)\b(?! (bill|case|number|battery))|\b(follow(s|ed|ing)?|waits?|waiting|turns? up|shows? up|stands?) .{0,20}(me (home|to work|everywhere|around)|outside my (work|house|flat|school|window))\b|\b(won'?t stop|keeps?) (following|calling me|stalking)\b|\b(he|she|they|you|ex|who|someone|somebody) .{0,20}stalk(s|ed|ing)\b|\bstalk(s|ed|ing) me\b|\bstalker\b|\b(verfolgt|stalkt|uberwacht) mich\b|\bliest meine nachrichten\b|\bortet mein handy\b",
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
    # the same, wider: built from groups of words
    (
        _SELF,
        _HIGH,
        r"\b(want(ed)?|going|gonna|plan(s|ned|ning)?|think(ing)?|thought|was about|try(ing)?|tried|feel like|decided)\b.{0,30}\b(jump(ing)?(?! (in|on|for|at|to conclusions|the|off the (high|diving)))|step(ping)? in front of|hang(ing)? myself|drown(ing)? myself|driv(e|ing) (off|into)|end(ing)? (it|my|everything)|do(ing)? (it|something to myself|myself in)|be(ing)? dead|walk(ing)? into the sea)\b(?!.{0,10}(argument|contract|call|meeting|day early))",
    ),
    (
        _SELF,
        _HIGH,
        r"\b(do|done|finish|finished|get rid of|top|topped) (my ?self|meself)( in| off)?\b|\bdo something (stupid )?to myself\b|\b(hope|wish|pray|rather) (that )?i (don'?t wake up|die|died|was dead|were dead|never woke)\b|\b(dont|don'?t) wake up\b.{0,40}\b(plan|pray|hope)|\bkill me ?self\b|\bout of (this )?life\b|\bbe dead\b.{0,30}\b(press|serious|mean it)|\bi'?ll end (it|my life|everything)\b|\bplan for (how to )?(end|kill|die)",
    ),
    (
        _SELF,
        _IMMINENT,
        r"\b(pills|tablets|medication|paracetamol|insulin)\b.{0,60}\b(take them|taking them|tonight|all of them|laid out|lined up|in front of me)\b|\b(standing|sitting|i'?m|i am|stood) (up )?(on|at) (the |a )?(edge|ledge|railing|bridge|roof|balcony|platform|tracks|cliff|car park roof|roof of)\b(?!.{0,20}(restaurant|terrace|bar|garden))|\b(gun|rifle|pistol|rope|razor|blade)\b.{0,40}\b(next to me|in my (hand|lap|bag)|beside me|ready|loaded)\b|\bdoing it (now|tonight)\b|\b(garage|car)\b.{0,30}\bengine running\b",
    ),
    (
        _SELF,
        _HIGH,
        r"\b(will|mocht|wollt|wurd|konnt)\w* .{0,30}\b(sterben|tot sein|mich (um ?bringen|erhangen|erschiessen|aufhangen)|springen vor|nicht mehr leben)\b(?! vor)|\b(erhangen|aufhangen|umbringen|umzubringen)\b.{0,15}$|\bmich (wieder |schon )?(selbst )?(verletz\w*|ritz\w*|geritzt|schneid\w*)\b|\bich (verletze|ritze|schneide) mich\b|\btu(e)? (ich )?mir (noch )?(was|etwas) an\b|\b(mir|sich) das leben (zu )?nehm\w*\b|\btabletten\b.{0,20}\b(genommen|geschluckt)\b.{0,15}\balle\b|\balle (meine )?tabletten (genommen|geschluckt)\b|\b(stehe|steh|sitze|bin) (schon )?auf (der|dem) (brucke|dach|balkongelander|gleis\w*)\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\b(for|be|manage|cope|do) (better|fine|easier|ok)? ?without me\b|\b(in|of) the picture\b.{0,10}\b(wasn'?t|weren'?t|gone)|\bif i (wasn'?t|weren'?t) (in the picture|here|around)\b|\b(world|everyone|everybody|they|you'?ll|you) .{0,30}\bwithout me in it\b|\bif i (just )?(disappeared|stopped (being|existing)|slipped away)\b|\bslip away quietly\b|\b(last|final) (time|christmas|summer|birthday) (for me|we)\b|\bmade my peace\b|\bwon'?t (see|be here for|make it to) (another|next|the) (winter|summer|year|christmas|spring|birthday|thirty|forty)\b|\bnever been born\b|\bnot be around\b|\bi don'?t see a future\b|\bno future\b|\bdon'?t deserve to (live|be here|take up|exist)\b|\b(when|once) i'?m (gone|dead)\b(?!.{0,25}(conference|holiday|trip|work|away|spain|lates))|\b(don'?t|do not) (bother|count) .{0,25}\b(me|four|seats|christmas|easter)\b.{0,20}\b(easter|christmas|seats)\b|\bpasswords? (are )?in an envelope\b|\bsaid (my )?goodbyes?\b|\bjust existing is\b|\bexisting is\b|\btired of being here\b|\bmuch longer\b.{0,30}\b(put up with me|worry|problem)\b|\b(rope|pills|tablets|bridge|water|reservoir)\b.{0,50}\bkeep looking\b|\bghost already\b|\bgo to sleep and not\b|\bnot have a tomorrow\b",
    ),
    (
        _SELF,
        _MODERATE,
        r"\bohne mich (hat|war|geht|ging|sei)\w*.{0,30}\b(leichter|besser|einfacher)\b|\b(bald|dann) musst ihr euch um mich keine\b|\beinschlafen und nicht mehr\b|\b(nur noch )?eine last (fur|geworden)\b|\bkeinen sinn( mehr)?\b|\bnicht mehr da sein\b|\bnicht mehr (geben|gabe)\b|\balles geregelt\b.{0,30}\b(papiere|schrank|testament)\b|\bihr braucht mich (doch )?(gar |eh )?nicht\b(?!.{0,15}(am|um|heute|morgen))|\bbin ich nicht mehr (hier|da)\b.{0,20}\b(ihr|werdet)\b|\b(hund|katze)\b.{0,40}\bfur immer\b",
    ),
    (
        _OTHER,
        _HIGH,
        rf"{_SOMEBODY}\b(shoot|hang|drown|kill|harm|cut|hurt)(s|ing)? (him|her|them)(self|selves)\b|{_SOMEBODY}\b(wanted|going|threaten\w*|tried) (to )?jump\b|\b(he|she|they) .{{0,25}}\bi'?ll (end it|do it|kill myself)\b|\b(razors?|blades?)\b.{{0,30}}\b(room|bed|drawer|bag)\b.{{0,40}}\b(arms?|cut\w*)\b|\b(pills|tablets)\b.{{0,30}}\b(hoard\w*|saving|counted|collect\w*)\b|\b(hoarding|saving|collecting) (up )?(her|his|their) (sleeping )?(pills|tablets)\b|\bwon'?t have to put up with me\b",
    ),
    (
        _OTHER,
        _HIGH,
        r"\b(ritzt|verletzt|schneidet) sich\b|\b(sohn|tochter|bruder|schwester|vater|mutter|er|sie|opa|oma|freund\w*|partner\w*) .{0,50}\b(umbringen|nicht mehr leben|sich (was|etwas) anzutun|sich (was|etwas) antut|abschiedsbrief)\b|\bohne (sie|ihn) (waren|sind) wir besser\b|\bverschenkt (gerade |jetzt )?(alles|alle seine|ihre ganzen)\b",
    ),
    (
        _HARM,
        _HIGH,
        r"\b(i'?ll|i'?m going to|i'?m gonna|i will|i want to|i could|going to) .{0,25}\b(poison|strangle|stab|smash|break|burn|shoot|drown|hurt|kill) .{0,20}\b(you|him|her|them|your|his|their|lot of you|house down)\b(?!.{0,15}(record|bread|mood|news|habit|toast|basil|silence))|\bput (him|her|them|you) in hospital\b|\bthink about (pushing|hurting|hitting|killing|strangling|poisoning) (him|her|them|you)\b|\b(scared|afraid|worried) (that )?i'?ll (shake|hit|hurt|drop|throw) (him|her|the|them)\b|\bsomething happened to (his|her|their) (brakes|car)\b|\bsee what i'?m capable of\b|\bi'?ll snap\b.{0,30}\b(pretty|sorry|you)\b",
    ),
    (
        _HARM,
        _HIGH,
        r"\bangst\b.{0,40}\b(kind|baby|ihm|ihr|ihnen) .{0,12}\b(etwas|was) (an)?(tue|tu|antue|antu)\b|\braste ich aus\b.{0,20}\bgnade\b",
    ),
    (
        _VIOLENCE,
        _HIGH,
        r"\b(he|she|they|you|my (husband|wife|partner|boyfriend|girlfriend|ex|dad|father|mum|mother))\b.{0,30}\b(broke|breaks|break|fractured|cracked) (my|his|her|two of my|three of my) (\w+ )?(nose|jaw|arm|wrist|ribs?|finger|teeth|tooth|leg|collarbone)\b|\b(he|she)'?(ll| will| would|'d) break my (nose|jaw|arm|wrist|neck|legs?)\b|\b(held|holds|pointed|waved|pulled|put) (a|the|his|her) (knife|gun|blade|scissors) (to|at|on|against|under) (me|my)\b|\bthrows? (things|plates|cups|stuff|objects) at (me|my head|us)\b|\b(punch|kick|hit|beat|slap|burn|chok|strangl)\w* me\b(?! (up|to it|as|with (a|that) (question|price|bill|news|joke)|at|in (chess|scrabble|cards|tennis)))|\b(burned|burnt) me with\b|\b(punched|kicked|hit|slapped) my (face|stomach|back|head)\b|\b(bag|suitcase) packed\b.{0,50}\b(when|for|like that)\b|\b(lock|shut|push)\w* .{0,40}\b(bathroom|bedroom|upstairs|wardrobe|door)\b.{0,40}\b(drink|drunk|had a drink|angry)\b|\b(had a drink|drunk|angry)\b.{0,60}\b(wardrobe|lock\w*|upstairs with the|hide)\b|\bfist through the wall\b|\bmakeup covers\b|\bi bruise easily\b|\bwalk into doors\b|\bi'?m the one who goes home with (him|her)\b|\bgets physical\b",
    ),
    (
        _VIOLENCE,
        _HIGH,
        r"\b(an den kopf|ins gesicht|auf mich) geworfen\b|\b(er|sie|du|hast|hat) .{0,20}\bmir .{0,25}\b(rippen?|nase|arm|kiefer|finger|zahn|zahne)\b.{0,12}\bgebrochen\b|\b(hand|faust) (aus|ausgerutscht)\b|\brutscht .{0,20}hand aus\b|\b(treppe|wand|boden)\b.{0,25}\b(gestossen|geworfen|geschubst)\b|\bblauen? flecken?\b|\bschliess\w* .{0,30}\b(im bad|mich ein|uns ein)\b|\bmuss nachher mit (ihm|ihr) nach hause\b|\b(wurgt|tritt|kneift|beisst|wuergt|schlaegt) mich\b|\bgegen meinen willen\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\b(he|she|they|my \w+(-in-law)?)\b.{0,12}\b(decides?|tells? me|controls?|dictates?|chooses?) (what i (wear|eat|do|spend)|who i (ring|call|see|meet|talk)|when i|where i)\b|\bforb(id|ids|ade|idden) me\b|\b(need|have to (get|ask for|have)|ask for|without) (his|her|their) permission\b|\bpermission to (leave|ring|call|see|go|work)\b|\b(have|get|had) me (sent back|deported|thrown out of the country)\b|\btimes me\b|\bnever see a penny\b|\b(my phone'?s|holds on to my) (his|hers|phone)\b|\bhaven'?t got a key\b|\bkeeps? my (phone|passport|card|key)\b|\b(weighs|measures) me\b|\b(i'?m|we'?re) not let near\b|\bcheck(s|ing)? everything with (him|her)\b|\bcheck with (him|her) first\b|\bcouldn'?t take the (kids|children)\b|\bpocket money\b.{0,30}\bgood\b|\b(visa|papers)\b.{0,20}\bin (his|her) hands\b|\bexplain every minute\b|\bcameras? in the (kitchen|bedroom|house|living)\b.{0,30}\b(see|watch)|\bhad a word with (each|all) of\b|\bthrew away my (pill|birth control|contracept\w+)\b",
    ),
    (
        _CONTROL,
        _MODERATE,
        r"\bich darf .{0,40}\b(nicht|keine|niemanden|nur)\b.{0,40}\b(sehen|treffen|aus dem haus|raus|arbeiten|telefonieren|ausgehen)\b(?!.{0,30}(wegen|arzt|auge))|\b(hat|hatte) .{0,15}verboten\b|\bverbietet mir\b|\bohne (ihn|sie) nicht (aus|raus|weg)\b|\b(behalt|nimmt|hat) .{0,12}\bmein(en|e)? (handy|pass|ausweis|geld|gehalt|karte)\b|\bhebt mein gehalt\b|\b(muss|musste) (ihn|sie) (erst |immer )?fragen\b|\bden schlussel hat nur\b|\bmit jeder? geredet\b|\bohne die kinder\b.{0,30}\bklargemacht\b",
    ),
    (
        _STALKING,
        _MODERATE,
        r"\b(liest|lest|kontrolliert) .{0,15}(alle )?meine (nachrichten|mails|chats)\b|\b(hides?|hid|put|puts|planted) (an? |the )?(air ?tag|tracker|gps|bug|camera)\b|\bchanged my number\b|\b(number|nummer)\b.{0,40}\b(still gets it|ruft trotzdem)\b|\balways knows where i'?ve been\b|\bweiss immer schon,? wo ich\b|\bbeen in my (e-?mail|account|phone)\b|\b(bus stop|car|van)\b.{0,40}\b(every|when i leave|i know whose)\b.{0,30}\b(use|back|is)\b",
    ),
    (
        _CHILD,
        _HIGH,
        r"\b(dad|daddy|mum|mom|father|mother|step ?dad|step ?mum|uncle|grandad|grandpa|he|she|they|teacher|coach) (\w+ )?(punch|hit|beat|slap|kick|burn|shak|shook|belt|whip|thrash)\w* (my|our|the|his|her|me and|us) ?(little |big |baby |older )?(brother|sister|son|daughter|boy|girl|kids?|children|baby|twins?|stepson)\b(?! (at|in) (chess|cards|tennis|football|scrabble))|\b(leaves?|left|leaving) (the |our |my |her |his |them )?(baby|twins?|kids?|children|toddler|little ones?)? ?alone\b.{0,40}\b(night|drinking|days?|friday|weekend|hours|out)\b|\bhands? (in|down|up) my (pants|trousers|skirt|shirt|nightie|underwear)\b|\bshowed me his (thing|penis|willy|privates)\b|\b(our|special) (secret|game)\b.{0,40}\b(tell|mustn'?t|11|12|13|said)\b|\bmakes me sit on his lap\b|\bmarks on (his|her|their) (legs?|arms?|back)\b|\b(goes stiff|flinches|wets (himself|herself))\b|\b(don'?t|not) like being alone with\b|\bmakes (her|his) own dinner because nobody\b|\bhide in the (shed|cellar|wardrobe)\b|\bscared of me now\b",
    ),
    (
        _CHILD,
        _HIGH,
        r"\b(papa|mama|vater|mutter|er|sie|stief\w+|onkel)\b.{0,15}\b(verprugelt|schlagt|schlug|haut|gurtel)\b.{0,30}\b(bruder|schwester|sohn|tochter|kind\w*|kleinen?|mich|uns)\b|\bbaby .{0,15}geschuttelt\b|\bkinder? .{0,25}\ballein\b.{0,25}\b(wohnung|tage|nacht|zu hause)\b|\b(zwei|drei|mehrere|ganze) (tage|nachte) allein\b|\bzuckt zusammen\b|\bunser geheimnis\b|\bkindergarten\b.{0,30}\bflecken\b",
    ),
    (
        _MEDICAL,
        _IMMINENT,
        r"\bswallowed (a |the )?(button |coin )?(battery|coin|magnet|bleach|poison|detergent|lye)\b|\b(so much blood|won'?t stop bleeding|bleeding won'?t stop|blood everywhere)\b|\b(speech|words?) (has |have |is |are )?(gone |all )*slurred\b|\blips? (are |is )?(swelling|turning blue|blue)\b|\b(tightness|pressure|pain)\b.{0,40}\b(jaw|arm|chest)\b|\bhit (her|his) head\b.{0,60}\b(sleepy|sick|vomit\w*|confused)\b|\b(redet|spricht)\b.{0,30}\bverwaschen\b|\bmundwinkel hang\w*\b|\bdruckt\b.{0,20}\b(in der )?brust\b|\bface (has |is )?(dropped|drooping|fallen)\b|\bunconscious\b|\bhaving a (seizure|fit|stroke|heart attack)\b(?! when| at the price| just)",
    ),
)
RULES: Final = tuple(Rule(family, level, re.compile(pattern)) for family, level, pattern in _RULES)

DISTRESS: Final = re.compile(
    r"\b(hopeless|desperate|devastated|worthless|unbearable|falling apart|breaking down|at (my|the) (limit|end)|panic(king)?|can'?t stop crying|numb|empty inside|hate myself|hasse mich|verzweifelt|am ende|wertlos)\b"
)
HARM_HELP: Final = re.compile(
    r"\b(how (do|can|could|would|to) (i |we )?|help me (to )?|can you (help me )?|tell me how to )(track|spy on|read|get into|hack|unlock|follow|secretly|make (him|her|them) stay|stop (him|her|them) (from )?leaving|keep (him|her|them) from leaving)\b"
)
