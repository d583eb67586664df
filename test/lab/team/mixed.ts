import { cases } from '../cases/list.ts';
import { createWord } from '../delivery/post.ts';
import type { Check, Outcome } from '../life/check.ts';
import { must } from '../life/check.ts';
import type { Life } from '../life/life.ts';
import { live } from '../life/take.ts';
import { type CliName, pins } from '../versions.ts';
import type { Row } from './results.ts';
import { Team } from './team.ts';
import { call, hold, say } from './team-case.ts';
import { writeTranscript } from './transcript.ts';

/** A supervisor of one vendor with workers of two others, in one home, as on a person's machine. */
export interface MixedTeam {
  readonly name: string;
  readonly supervisor: CliName;
  readonly developer: CliName;
  readonly reviewer: CliName;
}

export const mixedTeams: readonly MixedTeam[] = [
  { name: 'mixed-claude', supervisor: 'claude-code', developer: 'codex', reviewer: 'gemini' },
  { name: 'mixed-codex', supervisor: 'codex', developer: 'opencode', reviewer: 'qwen' },
];

export const mixedPromise =
  'The supervisor assigns a task to a developer of one vendor, hands another off to a reviewer of a second, goes idle, is woken by the developer’s answer, and hands the developer a second task. Each answer’s word arrives once.';

interface Taking {
  readonly program: string;
  readonly say: (line: string) => void;
  readonly hold: (life: Life) => void;
}

export async function takeMixed(
  team: MixedTeam,
  taking: Taking,
): Promise<{ readonly row: Omit<Row, 'totalMs' | 'day'>; readonly transcript: string }> {
  const { name, supervisor, developer, reviewer } = team;
  const outcomes = new Map<string, Outcome>();
  let transcript = '';
  const check: Check = {
    name,
    promise: mixedPromise,
    run: async (life) => {
      await life.launch();
      await life.isReady(0);
      const measured = await works(new Team(life), team);
      transcript = await writeTranscript(life, [supervisor, developer, reviewer]);
      return measured;
    },
  };
  const wish = { besides: [developer, reviewer] };
  const version = await live({ ...taking, lab: cases[supervisor] }, wish, [check], outcomes);
  const workers = [developer, reviewer].map((cli) => `${cli} ${pins[cli].version}`);
  const label = `${supervisor} with ${workers.join(' and ')}`;
  const row = { label, cli: supervisor, version, isApproved: false, workers };
  return { row: { ...row, outcomes: Object.fromEntries(outcomes) }, transcript };
}

async function works(
  team: Team,
  { developer, reviewer }: MixedTeam,
): Promise<Readonly<Record<string, number>>> {
  const [built, reviewed, mended] = [createWord(), createWord(), createWord()];
  const resting = hold();
  const build = team.teach(resting.step, say(`It is built: ${built}.`));
  const review = team.teach(say(`It is reviewed: ${reviewed}.`));
  const mend = team.teach(say(`It is mended: ${mended}.`));
  const first = await team.tell(
    call('assign', { profile: developer, name: 'developer', task: `Build it. ${build}` }),
    call('handoff', { profile: reviewer, name: 'reviewer', task: `Review the plan. ${review}` }),
    say('The plan is good; now I wait for the developer.'),
  );
  const plan = await team.learns(first, reviewed);
  must(team.placeOf(plan, reviewed) === 'result', 'the handoff did not return its answer');
  await team.begins(build);
  await team.rests('lab');
  resting.release();
  const news = await team.learns(first, built);
  must(team.placeOf(news, built) === 'user', 'the assigned answer did not come as a message');
  await team.settles();
  const second = await team.tell(
    call('handoff', { profile: 'developer', task: `Mend what the review found. ${mend}` }),
    say('That is all.'),
  );
  const last = await team.learns(second, mended);
  must(team.placeOf(last, mended) === 'result', 'the second handoff did not return its answer');
  await team.settles();
  for (const word of [built, reviewed, mended]) team.isOnce(team.latest(second), word);
  const since = (words: string): number => team.turnsOf(words)[0]?.endedAt ?? 0;
  return {
    handoff: plan.at - since(review),
    assign: news.at - since(build),
    second: last.at - since(mend),
  };
}
