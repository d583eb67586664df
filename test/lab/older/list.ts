import { type CliName, isCliName } from '../versions.ts';

export interface Older {
  readonly cli: CliName;
  readonly version: string;
}

/**
 * Versions that people may still have, beside the pinned one: three or more of the two CLIs that
 * change most, one of each other. Codex 0.140.0 has no queue, 0.148.0 is the first that has one.
 */
export const olderVersions: readonly Older[] = [
  { cli: 'codex', version: '0.140.0' },
  { cli: 'codex', version: '0.148.0' },
  { cli: 'codex', version: '0.155.0' },
  { cli: 'codex', version: '0.160.0' },
  { cli: 'codex', version: '0.165.0' },
  { cli: 'claude-code', version: '2.1.240' },
  { cli: 'claude-code', version: '2.1.280' },
  { cli: 'claude-code', version: '2.1.310' },
  { cli: 'gemini', version: '0.60.0' },
  { cli: 'opencode', version: '1.18.23' },
  { cli: 'copilot', version: '1.0.92' },
  { cli: 'qwen', version: '0.24.0' },
  { cli: 'kimi', version: '2.0.2' },
];

/** `codex`: all of the list; `codex@0.150.0`: that one. Undefined when it is neither. */
export function choose(words: readonly string[]): readonly Older[] | undefined {
  if (words.length === 0) return olderVersions;
  const chosen = words.map((word): readonly Older[] | undefined => {
    const [cli = '', version] = word.split('@');
    if (!isCliName(cli)) return undefined;
    if (version === undefined) return olderVersions.filter((one) => one.cli === cli);
    return /^\d+\.\d+\.\d+$/.test(version) ? [{ cli, version }] : undefined;
  });
  return chosen.every((some) => some !== undefined) ? chosen.flat() : undefined;
}
