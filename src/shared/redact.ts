/**
 * Takes secrets out of one line of JSON before it is written. By name of the field, at any depth,
 * and by the look of the text, since a secret also comes inside a message, an address or a document
 * within a text.
 */
export function redact(line: string): string {
  return line
    .replace(secretFields, '$1"[redacted]"')
    .replace(quotedFields, '$1\\"[redacted]\\"')
    .replace(variables, '$1[redacted]')
    .replace(bearer, '$1[redacted]')
    .replace(knownShapes, '[redacted]');
}

const names =
  'token(?:hash)?|secret|passw(?:or)?d|passphrase|api[-_]?key|private[-_]?key|authorization|cookie|credentials?';

/**
 * A text, number or flat list behind a name that speaks of a secret. Bounded, so that a long line
 * takes linear time.
 */
const secretFields = new RegExp(
  `("[\\w.-]{0,60}(?:${names})s?"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.]*|\\[[^\\]]*\\])`,
  'gi',
);

/** The same in a document that is itself quoted in a text. */
const quotedFields = new RegExp(
  `(\\\\"[\\w.-]{0,60}(?:${names})s?\\\\"\\s*:\\s*)\\\\"[^"\\\\]*\\\\"`,
  'gi',
);

const variables = /\b(\w{0,60}(?:TOKEN|SECRET|PASSWORD|API_KEY)=)[^\s"\\]+/g;

const bearer = /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{4,}/gi;

/**
 * Our own secrets (an agent's token, an attempt's mark), and the keys of the services that agents
 * talk to.
 */
const knownShapes =
  /\b(?:(?:tok|mark)_[0-9a-z]{26}|sk-[\w-]{12,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|AIza[\w-]{30,}|xox[abp]-[\w-]{10,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,})/g;
