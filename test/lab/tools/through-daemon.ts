import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from '../cases/list.ts';
import { copyProgram } from '../life/box.ts';
import { must } from '../life/check.ts';
import { Life, patienceMs } from '../life/life.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { CliName } from '../versions.ts';
import { dialogs } from './dialogs.ts';

/**
 * The same through the product: `signalbox launch`, its daemon and its MCP proxy. The model finds
 * itself in the list.
 */
export async function callsThroughDaemon(
  cli: CliName,
  transport: 'stdio' | 'http',
): Promise<string | undefined> {
  const { program, remove } = copyProgram();
  const life = await Life.open(cases[cli], program).catch((error: unknown) => {
    remove();
    throw error;
  });
  try {
    await life.launch([], writeProfile(life.box.state, cli, transport));
    await life.isReady(0);
    const from = life.events.length;
    const script = '@@mcp signalbox list_agents {} @@say after-the-call';
    const { request } = await life.ask(script);
    const keys = dialogs[cli];
    if (keys) {
      await life.hears('waiting', ({ status }) => status === 'waiting', from);
      await life.hands.press(keys);
    }
    const isNext = ({ n, isSide, callsSince }: LoggedRequest): boolean =>
      n > request.n && !isSide && callsSince > 0;
    const { body } = await life.mock.waitFor(isNext, patienceMs);
    const isListed = body.includes('lab (you)') || body.includes('isYou');
    must(
      isListed,
      `it is not in the list: ${body.slice(body.lastIndexOf('list_agents'))}`.slice(0, 1500),
    );
    must(keys !== undefined || !life.events.some(isWaiting), 'there was a dialog');
    return keys ? 'after a dialog' : undefined;
  } finally {
    await life.close();
    remove();
  }
}

/** Only a profile can ask for tools over HTTP. */
function writeProfile(state: string, provider: CliName, toolsOver: string): string {
  const folder = join(state, 'profiles');
  mkdirSync(folder, { recursive: true });
  const head = { name: 'listed', description: 'Lists.', provider, toolsOver };
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${value}`);
  writeFileSync(join(folder, 'listed.md'), `---\n${lines.join('\n')}\n---\n\nYou list agents.\n`);
  return 'listed';
}

function isWaiting({ status }: { readonly status: string }): boolean {
  return status === 'waiting';
}
