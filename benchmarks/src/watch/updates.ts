/** An update of a page that changed something. */
export interface Update {
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
      for (const event of events)
        if (hasChanges(event)) updates.push({ atMs: performance.now(), bytes: event.length });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Reports whether an event contains changed sections. */
export function hasChanges(event: string): boolean {
  return event.includes('event: sections') && !event.includes('"sections":{}');
}
