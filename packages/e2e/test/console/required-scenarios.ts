/** Situations that the tests in a browser must cover, each with the title of its scenario. */
export const REQUIRED_SCENARIOS: readonly (readonly [situation: string, title: string])[] = [
  ['400', 'shows the error of the service at the field, and keeps the input'],
  ['401', 'a session that ends in an open editor can be renewed there, and the edit is completed'],
  ['403', '403: tells a user who lost the role, and keeps the input'],
  ['409', '409: names the existing record'],
  ['412', 'if two users change one record, both values are shown, and the user chooses'],
  ['413', '413: shows the room that the quota leaves'],
  [
    '503',
    '503 with Retry-After: shows the time of the next attempt, which can be made at once, and repeats automatically',
  ],
  [
    'service away',
    'if the DNS API is unavailable, the data stays with its age, and is updated automatically later',
  ],
  [
    'network away',
    'without a network, the input is kept, also after a reload, and is sent afterwards',
  ],
  [
    'late publication',
    'a stopped nameserver is reported as late by name, and the other five are not',
  ],
  [
    'unknown outcome',
    'without a response for long, the same request is repeated until the outcome is known, and takes effect once',
  ],
  [
    'and it was not',
    'without a response for long, a user whose change was not made sees the reason, and the input is kept',
  ],
  ['asking given up', 'without any response, nothing is reported as done or not done'],
  ['lost answer', 'after a lost response, the same request is repeated and takes effect once'],
  ['our mistake', 'an error in the pages is shown, can be copied, and a reload recovers'],
  ['no events', 'without a stream of events, the states arrive by polling, one after the other'],
  [
    'events cut',
    'after a cut stream of events, changes from the meantime are shown when it is back',
  ],
  [
    'dns-api killed',
    'after kill -9 of dns-api during a batch, it is done once, in one step, without any help',
  ],
  [
    'nameserver killed',
    'after kill -9 of a nameserver during a change, all six have the change when it is back',
  ],
  [
    'two browsers',
    'in two browsers with one record, the second one shows both values, and its user chooses',
  ],
  ['two tabs', 'two tabs in two projects work independently in one session'],
  ['keyboard', 'the keyboard alone is enough to create, edit, select, delete and undo'],
  ['10,000 lines', '10,000 pasted lines are previewed, imported, shown, filtered and undone'],
  ['history', 'the filters of the history by type and by user are in the address'],
  ['selection', 'Shift selects a range, and Ctrl-A everything, in lists of records and of domains'],
  [
    'palette',
    'Ctrl-K opens a screen, a domain and a record, and runs actions, by the keyboard: %s, %i px',
  ],
  [
    'several domains',
    'exports, changes, deletes and restores several domains at once; a failure is reported beside the successes',
  ],
  [
    'export stopped',
    'exports, changes, deletes and restores several domains at once; a failure is reported beside the successes',
  ],
  [
    'mail',
    'mail: replaces the existing provider or sets an own server with its address, each in one step; edits tags, and records by name',
  ],
  ['undo', 'demonstrates all features, and undoes each'],
  [
    'first minute',
    'leads from the log-in to a record that six nameservers answer with, in twelve clicks',
  ],
  ['accessibility', 'all of it is accessible: %s, %i px (WCAG 2.2, by axe)'],
  [
    'commands',
    'of domains: new, from a file, several changed, exported and deleted; the settings of one',
  ],
  ['commands, others', 'of an import, keys and members; a password stands in none'],
  ['secondary domain', 'necessary changes at a primary are explained in both languages'],
  ['Fix', 'a prepared change fixes the findings of the check'],
  [
    'still asked for',
    'before a deletion, shows whether resolvers still query the domain here, if that is known',
  ],
  ['long name', 'a name of 253 octets is accessible: %s, %i px'],
  ['undo and session', 'an undo in the palette disappears with its session'],
];
