import { expect, test } from 'vitest';
import { Judged } from '../support/judged.ts';
import { type Check, listDue } from './judged.ts';
import { Truth } from './truth.ts';

test('a check that had nothing to judge in all storms is named, and one case is enough', () => {
  const all = new Judged<Check>();
  const before = all.listIdle(listDue('delivery'));
  expect(before).toContain('nothing to judge: rule 9: proof for an ended life');
  const truth = new Truth();
  truth.judge('rule 9: proof for an ended life', undefined);
  truth.judge('rule 24: a paste', 'rule 24: a paste on an old look');
  truth.judged.note('rule 6: proof', 0);
  all.add(truth.judged);
  const left = before.filter((what) => !all.listIdle(listDue('delivery')).includes(what));
  expect(left).toEqual([
    'nothing to judge: rule 9: proof for an ended life',
    'nothing to judge: rule 24: a paste',
  ]);
  expect(truth.violations).toEqual(['rule 24: a paste on an old look']);
});
