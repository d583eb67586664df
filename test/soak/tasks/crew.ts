import type { AgentView } from '../../../src/protocol/agents.ts';
import { cases } from '../../lab/cases/list.ts';
import { createWord } from '../../lab/delivery/post.ts';
import { type LabHome, openHome } from '../../lab/homes/home.ts';
import { LabBox } from '../../lab/life/box.ts';
import { patienceMs } from '../../lab/life/life.ts';
import { type MockLlm, openMockLlm } from '../../lab/mock-llm/server.ts';
import type { CliName } from '../../lab/versions.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** The budgets of wakes are another rule's matter (21); here nothing is to be held back by them. */
const unbounded = { SIGNALBOX_WAKE_BUDGET: '100000', SIGNALBOX_SCRIPT_BUDGET: '100000' };

/** A supervisor, and the word that stands in its conversation from the first prompt on. */
interface Giver {
  readonly name: string;
  readonly opener: string;
}

/** One supervisor and one worker of each CLI, all in one home, with one model and one daemon. */
export class Crew {
  readonly mock: MockLlm;
  readonly home: LabHome;
  readonly box: LabBox;
  readonly givers: readonly Giver[];
  readonly workers: readonly string[];
  readonly #clis: readonly CliName[];

  private constructor(mock: MockLlm, home: LabHome, box: LabBox, clis: readonly CliName[]) {
    this.mock = mock;
    this.home = home;
    this.box = box;
    this.#clis = clis;
    this.givers = clis.map((cli) => ({ name: `lead-${cli}`, opener: createWord() }));
    this.workers = clis.map((cli) => `worker-${cli}`);
  }

  static async open(program: string, clis: readonly CliName[]): Promise<Crew> {
    const [first = 'claude-code', ...besides] = clis;
    const mock = await openMockLlm();
    const home = openHome(first, { besides, mockUrl: mock.url });
    return new Crew(mock, home, await LabBox.open(program, 'tmux', unbounded), clis);
  }

  async launch(say: (line: string) => void): Promise<void> {
    for (const cli of this.#clis) {
      for (const role of ['lead', 'worker']) {
        const name = `${role}-${cli}`;
        const args = ['launch', cli, '--name', name, '--cwd', this.home.cwd];
        const env = this.#env(cli);
        const tail = cli === this.#clis[0] ? this.home.args : [];
        await this.box.ask(args, { env, tail });
        await this.#isResting(name);
        say(`${name} rests`);
      }
    }
    for (const { name, opener } of this.givers) {
      await this.box.ask(['send', name, `@@say hello ${opener}`]);
      const isRead = (): boolean => this.mock.requests.some(({ body }) => body.includes(opener));
      await waitUntil(`${name} at its model`, isRead, patienceMs);
    }
  }

  async list(): Promise<readonly AgentView[]> {
    return (await this.box.ask<{ readonly agents: readonly AgentView[] }>(['ls'])).agents;
  }

  /** It resumes its conversation. */
  async restart(name: string): Promise<void> {
    const cli = this.#clis.find((one) => name.endsWith(one));
    await this.box.ask(['restart', name], cli ? { env: this.#env(cli) } : {});
  }

  async close(): Promise<void> {
    try {
      await this.box.close();
    } finally {
      await this.mock.close();
      this.home.remove();
    }
  }

  #env(cli: CliName): Readonly<Record<string, string>> {
    return { ...this.home.env, ...cases[cli].env };
  }

  async #isResting(name: string): Promise<void> {
    const isResting = async (): Promise<boolean> =>
      (await this.list()).some(
        (agent) => agent.name === name && ['idle', 'completed'].includes(agent.status),
      );
    await waitUntil(`${name} at rest`, isResting, patienceMs);
  }
}
