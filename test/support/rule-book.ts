type RuleStatus = 'built' | 'partly planned' | 'planned' | 'withdrawn';

/** One rule or requirement of docs/rules.md. */
export interface Rule {
  /** `14`, `B4`. */
  readonly id: string;
  readonly status: RuleStatus;
  /** Its lettered parts, such as `42c`, and whether each is planned. */
  readonly parts: ReadonlyMap<string, 'built' | 'planned'>;
  /** The lines that name its tests, as they stand there. */
  readonly guards: readonly string[];
  readonly text: string;
}

/**
 * A rule is a heading, `### Rule 14` or `### B4`, so that links such as `rules.md#rule-14` work. A
 * status other than `built` is the first word of its text: `**Planned.**`, `**Partly planned.**`,
 * `**Withdrawn.**`. A part is an entry of a list: `- **42c**: …` or `- **51a** (planned): …`.
 */
export function readRuleBook(markdown: string): readonly Rule[] {
  const [, ...sections] = markdown.split(/^(?=#{2,3} )/m);
  return sections.flatMap((section) => {
    const id = heading.exec(section)?.[1];
    return id === undefined ? [] : [readRule(id, section)];
  });
}

const heading = /^### (?:Rule (?=\d)|(?=[EDBO]))([EDBO]?\d+)\n/;
const statuses = { Planned: 'planned', 'Partly planned': 'partly planned', Withdrawn: 'withdrawn' };

function readRule(id: string, section: string): Rule {
  const text = section.replace(heading, '').trim();
  const word = /^\*\*([A-Z][a-z ]+)\.\*\*/.exec(text)?.[1];
  const named = Object.entries(statuses).find(([name]) => name === word)?.[1] ?? 'built';
  const parts = [...text.matchAll(/^- \*\*(\d+[a-f])\*\*( \(planned\))?:/gm)];
  return {
    id,
    status: named as RuleStatus,
    parts: new Map(parts.map(([, part = '', mark]) => [part, mark ? 'planned' : 'built'])),
    guards: text.split('\n').filter((line) => isGuardLine(line)),
    text,
  };
}

export function isGuardLine(line: string): boolean {
  return /^(?:Guarded by|Also tried in): /.test(line);
}
