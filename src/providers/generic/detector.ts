import type { ConfiguredProvider, PatternKind } from '../../config/providers.ts';
import type {
  ComposerRule,
  Condition,
  DetectedStatus,
  Detector,
  StatusRule,
} from '../detector/rules.ts';

/**
 * The detector of a program that is described in config.yaml: each pattern is a rule, in the order
 * of what matters.
 */
export function describeDetector(configured: ConfiguredProvider, source: string): Detector {
  const { name, patterns, rows: bottom, empty } = configured;
  const composer: ComposerRule[] = empty
    ? [
        {
          name: 'empty',
          is: 'empty',
          source,
          unless: [],
          when: [
            {
              kind: 'rows',
              rows: [empty.row],
              place: { bottom },
              cursor: { row: 1, column: empty.column },
            },
          ],
        },
      ]
    : [];
  return {
    provider: name,
    versions: '>=0',
    tested: '0',
    regions: new Map(),
    rules: patterns.flatMap(({ kind, rows, titles }) => [
      ...rows.map((row, i) =>
        rule(kind, `${kind}-${i + 1}`, { kind: 'rows', rows: [row], place: { bottom } }),
      ),
      ...titles.map((title, i) => rule(kind, `${kind}-title-${i + 1}`, { kind: 'title', title })),
    ]),
    composer,
  };

  function rule(kind: PatternKind, ruleName: string, when: Condition): StatusRule {
    const status = statuses[kind];
    const detail = status === 'waiting' ? { detail: 'question' } : {};
    return { name: ruleName, status, ...detail, when: [when], unless: [], source };
  }
}

const statuses: Readonly<Record<PatternKind, DetectedStatus>> = {
  waiting: 'waiting',
  busy: 'processing',
  error: 'error',
  idle: 'idle',
};
