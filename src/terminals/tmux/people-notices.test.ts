import { expect, test } from 'vitest';
import { cellWidth } from '../../shared/cell-width.ts';
import { peopleNotices } from './people-notices.ts';

test.each(Object.values(peopleNotices))(
  'rule 12: what a person is told stands whole in a window of 60 columns: %s',
  (words) => {
    expect(cellWidth(words)).toBeLessThanOrEqual(60);
  },
);
