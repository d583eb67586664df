import type { RouteState } from '../../src/delivery/describe-routes.ts';
import type { Unwoken } from '../../src/delivery/explain-unwoken.ts';
import type { BrokenChannel, WaitReason } from '../../src/messages/wait-reason.ts';

/** What the server asks of delivery about messages: says what it is told to say. */
export class FakeMailDelivery {
  readonly looked: string[] = [];
  readonly limits = { blocks: 3, wakes: 60, scripts: 240, noticeAfterMs: 10_000 };
  wait: WaitReason | undefined;
  trouble: BrokenChannel | undefined;
  inTheWay: WaitReason | undefined;
  sleeper: Unwoken | undefined;
  place: WaitReason | undefined;
  states: readonly RouteState[] | undefined;
  hasPromptRoute = false;

  look(agent: string): void {
    this.looked.push(agent);
  }

  isPasting(): boolean {
    return false;
  }

  isDeciding(): boolean {
    return false;
  }

  keepsPrompts(): boolean {
    return this.hasPromptRoute;
  }

  obstacle(): WaitReason | undefined {
    return this.inTheWay;
  }

  waitsFor(): WaitReason | undefined {
    return this.wait;
  }

  broken(): BrokenChannel | undefined {
    return this.trouble;
  }

  unwoken(): Unwoken | undefined {
    return this.sleeper;
  }

  placeOf(): WaitReason | undefined {
    return this.place;
  }

  async takeFromQueue(): Promise<boolean> {
    return false;
  }

  routes(): readonly RouteState[] | undefined {
    return this.states;
  }
}
