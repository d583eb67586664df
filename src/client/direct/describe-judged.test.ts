import { expect, test } from 'vitest';
import { createPuller } from '../../agents/agent.ts';
import { createCaller } from '../../agents/caller.ts';
import { describeJudged } from './describe-judged.ts';

const lead = {
  ...createPuller('agt_lead', 0),
  name: 'lead',
  session: 'shop',
  notify: true,
  cwd: '/',
};

test('rule 52: a person who counts as an agent is told as which one, also where others have its name', () => {
  const said = (agent: typeof lead & { readonly namesakes?: true }) =>
    describeJudged({ caller: createCaller(agent, false), why: { kind: 'process' } }, true);
  expect(said(lead)).toMatch(/^You count as the agent "lead" here, because this shell runs inside/);
  expect(said({ ...lead, namesakes: true })).toMatch(/^You count as the agent "shop\/lead" here/);
});
