/** Situations that the tests in a browser must cover, each with the title of its scenario. */
export const REQUIRED_SCENARIOS: readonly (readonly [situation: string, title: string])[] = [
  ['400', 'shows what the service finds wrong at the field, and keeps what was typed'],
  ['401', 'a session that ends in an open editor: log in over it, and what was begun is done'],
  ['403', '403: who lost the role is told so, and keeps what was typed'],
  ['409', '409: the record that is there already is named'],
  ['412', 'two people change one record: both are shown, and one chooses'],
  ['413', '413: a quota says how much there is room for'],
  [
    '503',
    '503 with Retry-After: says when it asks again, does so at once if told to, and then by itself',
  ],
  [
    'service away',
    'the DNS API is away: what is there stays with its age, and comes up again by itself',
  ],
  [
    'network away',
    'the network is away: what was typed stays, also over a reload, and is sent afterwards',
  ],
  [
    'late publication',
    'a nameserver that does not move is late by name, and the other five are not',
  ],
  [
    'unknown outcome',
    'no answer for long: the same is asked until it is known, and it was done, once',
  ],
  [
    'and it was not',
    'no answer for long: who is told that it was not done hears why, and keeps what was typed',
  ],
  ['asking given up', 'no answer ever: nobody is told that it was done or that it was not'],
  ['lost answer', 'an answer that is lost: the same is asked again, and done once'],
  ['our mistake', 'a mistake in the pages: says so, can be copied, and a reload mends it'],
  ['no events', 'without a stream of events: the marks come by asking, one after the other'],
  [
    'events cut',
    'a stream of events that was cut: what happened meanwhile is there when it is back',
  ],
  [
    'dns-api killed',
    'kill -9 of dns-api during a batch: done once, in one step, without anybody helping',
  ],
  [
    'nameserver killed',
    'kill -9 of a nameserver while a change goes out: the six have it once it is back',
  ],
  ['two browsers', 'two browsers on one record: the second is shown both, and its person chooses'],
  ['two tabs', 'two tabs in two projects: each works in its own, in one session'],
  ['keyboard', 'the keyboard alone makes, edits, selects, deletes and takes back'],
  ['10,000 lines', '10,000 pasted lines are looked at, imported, shown, filtered and taken back'],
  ['history', 'the history of one type and of one user stands in the address'],
  ['selection', 'a range is selected with Shift, and all with Ctrl-A: of records and of domains'],
  [
    'palette',
    'Ctrl-K leads to a screen, a domain and a record, and does what can be done, by the keyboard: %s, %i px',
  ],
  [
    'several domains',
    'several domains are exported, changed, deleted and restored at once; of what fails the others are said',
  ],
  [
    'export stopped',
    'several domains are exported, changed, deleted and restored at once; of what fails the others are said',
  ],
  [
    'mail',
    'mail: a provider in the place of what was there, an own server with its address, each in one step; tags, and records by name',
  ],
  ['undo', 'walks through all of it, and takes each back'],
  [
    'first minute',
    'from the log-in to a record that six nameservers answer with, in twelve clicks',
  ],
  ['accessibility', 'nothing of it keeps anybody out: %s, %i px (WCAG 2.2, by axe)'],
  [
    'commands',
    'of domains: new, from a file, several changed, exported and deleted; the settings of one',
  ],
  ['commands, others', 'of an import, keys and members; a password stands in none'],
  ['secondary domain', 'what a primary must change is said in both languages'],
  ['Fix', 'what the check finds is mended by a prepared change'],
  [
    'still asked for',
    'before a deletion: whether the domain is still asked for here, where that is known',
  ],
  ['long name', 'a name of 253 octets keeps nobody out: %s, %i px'],
  ['undo and session', 'an undo in the palette goes with the session in which it was offered'],
];
