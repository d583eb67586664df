import { hostname } from 'node:os';
import type { AgentView } from '../../../src/protocol/agents.ts';
import type { InboxList } from '../../../src/protocol/messages.ts';
import type { Life } from '../life/life.ts';
import { type CliName, pins } from '../versions.ts';

/**
 * What a person at the command line sees of a team's work: who is there, and the whole story of
 * each message.
 */
export async function writeTranscript(life: Life, clis: readonly CliName[]): Promise<string> {
  const { box } = life;
  const { agents } = await box.ask<{ readonly agents: readonly AgentView[] }>(['ls']);
  const ids = new Set<string>();
  for (const { name } of agents) {
    const { messages } = await box.ask<InboxList>(['inbox', 'list', name, '--state', 'all']);
    for (const { id } of messages) ids.add(id);
  }
  const stories: string[] = [];
  // Ids begin with their time.
  for (const id of [...ids].sort()) stories.push(await box.show(['explain', id]));
  const day = new Date().toISOString().slice(0, 10);
  return [
    `# A mixed team at work, ${day}`,
    '',
    `${clis.map((cli) => `${cli} ${pins[cli].version}`).join(', ')}: real CLIs on the mock model, launched and driven through signalbox. The`,
    'supervisor is `lab`; the lab typed its two prompts, everything else went through the tools. As the command line shows it:',
    '',
    '```console',
    await box.show(['ls']),
    ...stories.flatMap((story) => ['', story]),
    '```',
    '',
  ]
    .join('\n')
    .replaceAll(life.home.folder, '~')
    .replaceAll(box.state, '~/.local/state/signalbox')
    .replaceAll(hostname(), 'localhost');
}
