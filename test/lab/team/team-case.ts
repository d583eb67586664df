import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check, Measured } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import type { Step } from '../mock-llm/directives.ts';
import type { CliName } from '../versions.ts';
import { second, Team } from './team.ts';

export interface TeamCase extends Pick<Check, 'name' | 'promise' | 'isShort'> {
  readonly run: (team: Team) => Promise<Measured>;
}

/**
 * The keys with which a person allows a tool for the rest of a conversation, where nothing else
 * allows ours alone.
 */
export const approveKeys: Readonly<Partial<Record<CliName, readonly string[]>>> = { kimi: ['2'] };

/**
 * As checks of one life: each finds a supervisor that rests. After one that did not go well its
 * workers are removed, for nobody knows what they still owe; the lab itself starts the supervisor
 * anew.
 */
export function asChecks(
  cases: readonly TeamCase[],
  options: { readonly isApproved: boolean; readonly isOverHttp?: boolean },
): readonly Check[] {
  const teams = new WeakMap<Life, Team>();
  const teamOf = (life: Life): Team => {
    const keys = options.isApproved ? approveKeys[life.lab.name] : undefined;
    const team = teams.get(life) ?? new Team(life, keys);
    teams.set(life, team);
    return team;
  };
  return cases.map(({ run, ...check }) => ({
    ...check,
    run: async (life) => {
      const team = teamOf(life);
      if (!life.isLaunched) {
        await life.launch([], options.isOverHttp ? writeProfile(life) : undefined);
        await life.isReady(0);
      }
      try {
        return await run(team);
      } catch (error) {
        // A case may end while no daemon runs.
        await life.box.up().catch(() => undefined);
        await removeWorkers(team).catch(() => undefined);
        throw error;
      }
    },
  }));
}

/** A person's own, for a supervisor whose tools come over HTTP; its name. */
function writeProfile({ box, lab }: Life): string {
  const folder = join(box.state, 'profiles');
  mkdirSync(folder, { recursive: true });
  const head = `name: over-http\ndescription: A supervisor of the lab.\nprovider: ${lab.name}\ntoolsOver: http`;
  writeFileSync(join(folder, 'over-http.md'), `---\n${head}\n---\n\nYou lead a team.\n`);
  return 'over-http';
}

async function removeWorkers(team: Team): Promise<void> {
  const workers = (await team.list()).filter(({ parent }) => parent?.name === 'lab');
  const names = workers.map(({ name }) => name);
  await team.remove(second, ...names);
  // What the lab had sent to them comes back to the user, and would be taken for what the next case
  // left over.
  await team.life.box.ask(['inbox', 'drain']);
}

export function say(text: string): Step {
  return { do: 'say', text };
}

/** A call of one of the tools that signalbox gives to its agents. */
export function call(tool: string, given: object): Step {
  return { do: 'mcp', server: 'signalbox', tool, json: JSON.stringify(given) };
}

/** A model that says nothing until the lab lets it. */
export function hold(): { readonly step: Step; release(): void } {
  let release = (): void => undefined;
  const isTime = new Promise<void>((done) => {
    release = done;
  });
  return { step: { do: 'until', isTime }, release: () => release() };
}
