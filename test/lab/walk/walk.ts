import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PageShell } from '../../pages/shell.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { keyPauseMs } from '../life/hands.ts';
import type { MockLlm } from '../mock-llm/server.ts';
import { runTmux } from '../run-tmux.ts';
import type { Screens } from './screens.ts';

interface Walk {
  readonly shell: PageShell;
  readonly screens: Screens;
  readonly mock: MockLlm;
  readonly home: string;
}

const task = 'Find out why checkout is slow and have it fixed';

/** The README's first team, and what happens on the way, key by key. */
export async function walk({ shell, screens, mock, home }: Walk): Promise<void> {
  mock.recall(task, [
    { do: 'tool', command: 'touch slow-query.sql' },
    { do: 'say', text: 'Checkout scanned the whole cart table. An index fixes it: 40 ms now.' },
  ]);
  const agent = new AgentScreen(home);

  // In its auto mode, the default of 2.1.325, another model judges each command, and the mock is no
  // judge.
  const launch = 'signalbox launch supervisor --name lead -- --permission-mode default';
  const launching = shell.type(launch);
  const asked = await agent.first(/trust this folder/i);
  await launching;
  const told = performance.now();
  screens.note(
    `The line that names the trust dialog stood there ${ms(told - asked)} after the dialog did (looked at every 50 ms).`,
  );
  await screens.take(`\`${launch}\``);

  await shell.type('signalbox ls');
  await screens.take('`signalbox ls`');
  await shell.type('signalbox attention');
  await screens.take('`signalbox attention`');

  await shell.type('signalbox attach lead', async () => {
    await waitUntil('the dialog', async () => /trust this folder/i.test(await shell.visible()));
    await screens.take('`signalbox attach lead`');
    for (const key of ['Down', 'Enter']) {
      await shell.press(key);
      await delay(keyPauseMs);
    }
    const isGone = async () => !/trust this folder/i.test(await shell.visible());
    await waitUntil('the dialog to be answered', isGone);
    await waitUntil('its input line', async () => /❯/.test(await shell.visible()));
    await screens.take('Yes, I trust this folder; then Ctrl-]');
    await shell.press('C-]');
  });

  const sent = performance.now();
  const seen = await shell.type(`signalbox send lead "${task}" --wait seen`);
  screens.note(
    `\`send --wait seen\` ended with ${seen.code} after ${ms(performance.now() - sent)}.`,
  );
  await screens.take('`signalbox send lead "…" --wait seen`');

  await shell.type('signalbox ls --watch', async () => {
    await waitUntil('its question', async () => /asks: /.test(await shell.visible()));
    await screens.take('`signalbox ls --watch`: it asks for a permission');
    await shell.press('C-c');
  });
  await shell.type('signalbox attention');
  await screens.take('`signalbox attention`');

  await shell.type('signalbox answer lead', async () => {
    await waitUntil('the question', async () => /\[a\/d\/L\]/.test(await shell.visible()));
    await screens.take('`signalbox answer lead`');
    await shell.press('a');
    await shell.press('Enter');
  });
  await screens.take('a, Enter');

  const answered = () => shell.type('signalbox inbox list --json');
  await waitUntil('its answer', async () => /40 ms now/.test((await answered()).screen));
  await shell.type('signalbox inbox drain');
  await screens.take('`signalbox inbox drain`');
  await shell.type('signalbox explain lead:1');
  await screens.take('`signalbox explain lead:1`');

  await shell.type('signalbox uninstall', async () => {
    await waitUntil('its question', async () => /\[y\/N\]/.test(await shell.visible()));
    await screens.take('`signalbox uninstall`');
    await shell.press('y');
    await shell.press('Enter');
  });
  await screens.take('y, Enter');
}

/** The agent's own terminal, looked at without the product. */
class AgentScreen {
  readonly #socket: string;

  constructor(home: string) {
    this.#socket = join(home, 'tmux.sock');
  }

  /** When it showed this. */
  async first(form: RegExp): Promise<number> {
    await waitUntil(`${form} in the agent's terminal`, async () => form.test(await this.#look()));
    return performance.now();
  }

  /** Of its only window; empty before there is a server. */
  #look(): Promise<string> {
    return runTmux(this.#socket, ['capture-pane', '-p', '-J', '-t', ':'], {}).catch(() => '');
  }
}

function ms(time: number): string {
  return time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`;
}
