import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { denials, findTexts } from '../delivery/cases-standing.ts';
import { must } from '../life/check.ts';
import type { LoggedRequest } from '../mock-llm/request-log.ts';
import type { Team } from './team.ts';
import { call, say, type TeamCase } from './team-case.ts';

/** Rule 51: as what tasks of agents reach a worker's model, in the bytes of its request. */
export const standingCases: readonly TeamCase[] = [
  {
    name: 'assign-standing',
    promise:
      'rule 51: the task for which an agent launched another is its first prompt, fenced, its giver named; a later one is a notice, and its role says that it is its job',
    run: async (team) => {
      await team.remove(asked);
      const first = team.teach(say('The first is done.'));
      await team.tell(
        call('assign', { profile: team.cli, name: asked, task: `The first. ${first}` }),
        say('It is under way.'),
      );
      const request = await team.begins(first);
      isFencedPrompt(request, first);
      const job = 'You work for the agent \\"lab\\"';
      must(request.body.includes(job), 'its role does not say whose tasks are its job');
      await team.rests(asked);
      await team.settles();
      const later = team.teach(say('The second is done.'));
      await team.tell(
        call('assign', { profile: asked, task: `The second. ${later}` }),
        say('It goes on.'),
      );
      await team.begins(later);
      await team.rests(asked);
      await hasStandings(team, ['prompt', 'notice']);
      await team.settles();
      await team.remove(asked);
      return {};
    },
  },
  {
    name: 'tasks-prompt',
    promise:
      'rule 51: with `tasks: prompt` in a profile of the user’s own a later task is a prompt',
    run: async (team) => {
      await team.remove(asked);
      const folder = join(team.life.box.state, 'profiles');
      mkdirSync(folder, { recursive: true });
      const head = `name: prompted\nprovider: ${team.cli}\ntasks: prompt`;
      writeFileSync(join(folder, 'prompted.md'), `---\n${head}\n---\nWork.\n`);
      await team.launchBelow(asked, 'prompted');
      const work = team.teach(say('It is done.'));
      await team.tell(
        call('assign', { profile: asked, task: `The task. ${work}` }),
        say('It is under way.'),
      );
      isFencedPrompt(await team.begins(work), work);
      await team.rests(asked);
      await hasStandings(team, ['prompt']);
      await team.settles();
      await team.remove(asked);
      return {};
    },
  },
];

const asked = 'asked';

/** As one text of the user's role: our fence, which names the giver, and nothing that denies it. */
function isFencedPrompt(request: LoggedRequest, words: string): void {
  const texts = findTexts(JSON.parse(request.body), words);
  must(texts.length === 1, `${texts.length} texts of the request hold it`);
  const [{ role, text } = { role: 'none', text: '' }] = texts;
  must(role === 'user', `its role is ${role}`);
  must(/<signalbox mark_\w+>\n/.test(text), `it is not fenced: ${text}`);
  must(/task from lab \(parent\)/.test(text), `it does not name its giver: ${text}`);
  // Our own first line says how it came; what a CLI puts around it must not.
  const others = text.replace(/^Mail, not typed here.*$/m, '');
  must(!denials.test(others), `it is disowned: ${text}`);
}

async function hasStandings(team: Team, wanted: readonly string[]): Promise<void> {
  const tasks = (await team.inbox(asked)).filter(({ kind }) => kind === 'task');
  const found = tasks.map(({ standing }) => standing);
  must(JSON.stringify(found) === JSON.stringify(wanted), `they were ${JSON.stringify(found)}`);
}
