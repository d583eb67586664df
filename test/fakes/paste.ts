import type { Carried } from '../../src/delivery/carried.ts';
import type { RecipientView } from '../../src/delivery/recipient.ts';
import { Paste } from '../../src/delivery/routes/paste.ts';
import { FakeDelivery } from './delivery.ts';
import { FakePen } from './pen.ts';

export const text = 'first line\nsecond line';

/** One text on its way by `paste`, as an attempt orders it. */
export async function setUpPaste() {
  const fake = await FakeDelivery.open();
  const pen = new FakePen();
  const steps: string[] = [];
  const view: RecipientView = { status: 'idle', composer: 'empty' };
  let mayBegin = true;
  const slow = { atBegin: async (): Promise<void> => undefined };
  const open = (more: Partial<RecipientView> = {}): Paste =>
    new Paste(fake.parts, pen, () => ({ ...view, ...more }));
  const run = async (more: Partial<RecipientView> = {}): Promise<Carried> => {
    const paste = open(more);
    const notTaken = await paste.act({
      text,
      begin: async () => {
        steps.push('begin');
        await slow.atBegin();
        return mayBegin;
      },
      note: async (step) => void steps.push(step),
    });
    return notTaken ?? (await paste.verify());
  };
  const refuseBegin = (): void => {
    mayBegin = false;
  };
  return { fake, pen, steps, open, run, refuseBegin, slow };
}
