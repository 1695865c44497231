// Lists of docs/design/threat-model.md from docs/design/threats.json.

/** Writes the sections of all attackers between the markers of the page. */
export function documentThreats(page, attackers) {
  const [head, rest] = page.split('<!-- threats -->');
  if (rest === undefined) throw new Error('docs/design/threat-model.md has no place for threats.');
  const sections = attackers.map(sectionOf).join('\n\n');
  return `${head}<!-- threats -->\n\n${sections}\n\n${rest.slice(rest.indexOf('<!-- end -->'))}`;
}

function sectionOf({ attacker, can, note, threats }) {
  const items = threats.map(({ cannot }) => `- ${cannot}`);
  return [
    `## ${attacker}`,
    `They can:\n\n${can.map((deed) => `- ${deed}`).join('\n')}`,
    ...(note === undefined ? [] : [note]),
    `They cannot:\n\n${items.join('\n')}`,
  ].join('\n\n');
}
