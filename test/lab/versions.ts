/**
 * The CLIs of the lab, pinned. What is true of one version may be false of the next, so a rule, a
 * recording and a test always speak of these. Exact versions also matter to npm: on Node 20 an open
 * range quietly picks an older release of Claude Code and Qwen, whose newest ones ask for Node 22.
 */
const pinned = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    command: 'claude',
    runtime: 'native',
  },
  codex: { package: '@openai/codex', version: '0.166.0', command: 'codex', runtime: 'node' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', command: 'gemini', runtime: 'node' },
  opencode: { package: 'opencode-ai', version: '1.18.33', command: 'opencode', runtime: 'native' },
  copilot: { package: '@github/copilot', version: '1.0.102', command: 'copilot', runtime: 'node' },
  qwen: {
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    command: 'qwen',
    runtime: 'node-22',
  },
  kimi: {
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    command: 'kimi',
    runtime: 'node-22',
  },
} as const satisfies Readonly<Record<string, Pin>>;

export type CliName = keyof typeof pinned;

export const cliNames = Object.keys(pinned) as readonly CliName[];

/**
 * What the lab runs and installs: the pins, or for one run another version
 * (`LAB_VERSIONS=claude-code=2.1.240`).
 */
export const pins = applyVersions(process.env['LAB_VERSIONS'] ?? '');

interface Pin {
  readonly package: string;
  readonly version: string;
  /** The name that people type. */
  readonly command: string;
  /** What executes it: itself, the Node that runs the lab, or the Node 22 below. */
  readonly runtime: 'native' | 'node' | 'node-22';
}

/**
 * OpenCode 1.18.33 installs this beside its configuration at start; offline the screen stays blank
 * for 70 s.
 */
export const openCodePlugin = { package: '@opencode-ai/plugin', version: '1.18.33' } as const;

/**
 * Node itself, from npm: the package of one platform holds the bare binary and runs no install
 * script.
 */
export const node22 = {
  package: `node-${process.platform}-${process.arch}`,
  version: '22.23.3',
} as const;

export function isCliName(text: string): text is CliName {
  return Object.hasOwn(pinned, text);
}

function applyVersions(list: string): Readonly<Record<CliName, Pin>> {
  const other: Record<CliName, Pin> = { ...pinned };
  for (const item of list.split(',').filter((text) => text !== '')) {
    const [name = '', version = ''] = item.split('=');
    if (!isCliName(name) || !/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(`LAB_VERSIONS: ${item} is not <cli>=<version>.`);
    }
    other[name] = { ...pinned[name], version };
  }
  return other;
}
