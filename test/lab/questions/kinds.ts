import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { provider as codex } from '../../../src/providers/codex/provider.ts';
import { provider as copilot } from '../../../src/providers/copilot/provider.ts';
import { provider as opencode } from '../../../src/providers/opencode/provider.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import type { AskedFor } from '../../../src/providers/questions.ts';
import { provider as qwen } from '../../../src/providers/qwen/provider.ts';
import { writeToolServer } from '../tools/tool-server.ts';
import type { CliName } from '../versions.ts';
import type { LabQuestions, LabWish } from './lab-questions.ts';

/**
 * One kind of question that a CLI asks, how it is brought about, and what shows that it was done.
 */
export interface Kind {
  readonly name: string;
  readonly asks: AskedFor;
  readonly wish?: (folder: string) => Pick<LabWish, 'home' | 'args'>;
  /** What the mock is to do, as a prompt of the person's. */
  readonly ask: (lab: LabQuestions) => string;
  /** Stands in the question's text. */
  readonly says: string;
  readonly isDone: (lab: LabQuestions) => boolean;
  readonly isSubAgents?: true;
}

export interface AnswersCase {
  readonly cli: CliName;
  readonly provider: Provider;
  /** The dialog is on the screen. */
  readonly dialog: RegExp;
  readonly kinds: readonly Kind[];
  /** With `approvals: remote`, and a person who agrees to what it asks about that. */
  readonly isRemote?: true;
}

const began = 'asked-and-done';
const isTouched = ({ home }: LabQuestions): boolean => existsSync(join(home.cwd, began));

const command: Kind = {
  name: 'command',
  asks: 'command',
  ask: () => `@@tool touch ${began} @@say it is over`,
  says: `touch ${began}`,
  isDone: isTouched,
};

/** A call of one of the CLI's own tools by its name. */
function creates(tool: string, path: string, content: string): Kind {
  return {
    name: 'edit',
    asks: 'edit',
    ask: ({ home }) => {
      const input = { [path]: join(home.cwd, began), [content]: 'the new line' };
      return `@@mcp own ${tool} ${JSON.stringify(input)} @@say it is over`;
    },
    says: 'the new line',
    isDone: isTouched,
  };
}

function usesTool(): Kind {
  let calls = (): number => 0;
  return {
    name: 'tool',
    asks: 'tool',
    wish: (folder) => {
      const server = writeToolServer(folder, 'mine', 'the word');
      calls = () => server.calls().length;
      return { home: { mcpServers: { mine: server } } };
    },
    ask: () => '@@mcp mine ping {} @@say it is over',
    says: 'ping',
    isDone: () => calls() > 0,
  };
}

/** Codex takes a patch for its own tool, and asks about it where its sandbox only reads. */
const patches: Kind = {
  name: 'edit',
  asks: 'edit',
  wish: () => ({ args: ['--sandbox', 'read-only'] }),
  ask: ({ mock }) => {
    const lines = ['*** Begin Patch', `*** Add File: ${began}`, '+the new line', '*** End Patch'];
    const patch = ["apply_patch <<'EOF'", ...lines, 'EOF'].join('\n');
    mock.teach('patch', [
      { do: 'tool', command: patch },
      { do: 'say', text: 'it is over' },
    ]);
    return '@@play patch';
  },
  says: 'the new line',
  isDone: isTouched,
};

/** A sub-agent of OpenCode runs the command. */
const delegates: Kind = {
  ...command,
  name: 'sub-agent',
  ask: ({ mock }) => {
    mock.teach('below', [
      { do: 'tool', command: `touch ${began}` },
      { do: 'say', text: 'done below' },
    ]);
    const task = { description: 'Look', prompt: '@@play below', subagent_type: 'general' };
    // As a directive it would be the main conversation's.
    const json = JSON.stringify(task).replace('@@', String.raw`\u0040@`);
    return `@@mcp opencode task ${json} @@say it is over`;
  },
  isSubAgents: true,
};

export const answersCases: readonly AnswersCase[] = [
  {
    cli: 'codex',
    provider: codex,
    dialog: /Would you like to (run|make)|Allow the mine MCP server/,
    kinds: [command, patches, usesTool()],
  },
  {
    cli: 'opencode',
    provider: opencode,
    dialog: /△ Permission required/,
    kinds: [command, creates('write', 'filePath', 'content'), delegates],
  },
  {
    cli: 'copilot',
    provider: copilot,
    dialog: /Do you want to|Allow /,
    kinds: [command, creates('create', 'path', 'file_text'), usesTool()],
    isRemote: true,
  },
  {
    cli: 'qwen',
    provider: qwen,
    dialog: /Allow execution of|Apply this change|Do you want to proceed/,
    kinds: [command, creates('write_file', 'file_path', 'content'), usesTool()],
  },
];
