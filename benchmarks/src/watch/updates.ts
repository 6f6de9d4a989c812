/** The pace of the updates of a page, from its status. */
interface Pace {
  /** The part of the time in which the last updates needed a CPU and had one, from 0 to 1. */
  readonly cpuAvailability: number;
  /** True if updates had to wait for a CPU, so that they were less frequent. */
  readonly isBusy: boolean;
}

/** An update of a page that changed something. */
export interface Update extends Pace {
  /** The time of its arrival, from `performance.now`. */
  readonly atMs: number;
  readonly bytes: number;
}

/** Receives the updates of a page until `signal` is aborted, and adds those that changed sections. */
export async function readUpdates(url: string, updates: Update[], signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`${url}events?after=0`, { signal });
  let text = '';
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const atMs = performance.now();
        if (hasChanges(event)) updates.push({ atMs, bytes: event.length, ...readPace(event) });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Reports whether an event contains changed sections. */
export function hasChanges(event: string): boolean {
  return event.includes('event: sections') && !event.includes('"sections":{}');
}

function readPace(event: string): Pace {
  const data = event.slice(event.indexOf('data: ') + 'data: '.length);
  const { cpuAvailability, isBusy } = (JSON.parse(data) as { readonly status: Pace }).status;
  return { cpuAvailability, isBusy };
}
