import type { EndpointName } from '../endpoint/endpoint.ts';
import type { PhaseName, RequestRecord, TokenCounts, TokenSource } from '../requestRecord.ts';
import { PIECE_OUTPUT, PIECE_REASONING } from '../response/responseContent.ts';
import type { Counted, Counter } from '../tokens/counter.ts';
import type { Sending } from './inFlightRequest.ts';
import { arrivalsOf, failureIn, NO_COUNTS, reported, traceOf, trafficOf } from './recordFields.ts';
import type { Session } from './session.ts';

/** A request that has been answered, or not, and what it was. */
export interface Finished {
  readonly sending: Sending;
  readonly session: Session;
  readonly turn: number;
  readonly phase: PhaseName;
  readonly index: number;
  readonly requestId: string;
  readonly url: string;
  readonly model: string;
  readonly intendedNs: number;
  readonly requestBytes: number;
  readonly requestedOutput: number | undefined;
  /** Texts whose tokens are to be counted, and tokens that are known. */
  readonly uncounted: { readonly texts: readonly string[]; readonly known: number };
  /** Whether what was said before is part of the request. */
  readonly hasContext: boolean;
  readonly inputText: string;
}

export interface FinisherOptions {
  readonly counter: Counter | undefined;
  /** Whose counts stand in `tokens`. */
  readonly source: TokenSource;
  readonly workerId: string;
  readonly endpoint: EndpointName;
  readonly streaming: boolean;
  readonly keepText: boolean;
  readonly onRecord: (record: RequestRecord) => void;
}

/** Makes records of finished requests, counts their tokens off the hot path, and hands them on in the order of their ends. */
export class Finisher {
  readonly #options: FinisherOptions;
  #last: Promise<void> = Promise.resolve();

  constructor(options: FinisherOptions) {
    this.#options = options;
  }

  /** Takes a finished request. Its record follows when its tokens are counted. */
  take(finished: Finished): void {
    const { counter } = this.#options;
    if (!counter) {
      this.#options.onRecord(this.#record(finished, undefined));
      return;
    }
    const { text } = finished.sending.answer;
    const counting = counter.count({
      inputs: finished.uncounted.texts,
      pieces: text.texts,
      kinds: text.kinds,
    });
    this.#last = this.#last.then(async () => {
      // A text that cannot be counted must not lose its record.
      const counted = await counting.catch(() => undefined);
      this.#options.onRecord(this.#record(finished, counted));
    });
  }

  /** Resolves when all records are out. */
  async flush(): Promise<void> {
    await this.#last;
  }

  #record(finished: Finished, counted: Counted | undefined): RequestRecord {
    const { sending, session, phase, index, requestId, url, model, intendedNs, turn } = finished;
    const { answer, exchange } = sending;
    const { workerId, endpoint, streaming, source, keepText } = this.#options;
    const { text } = answer;
    const own = counted ? this.#counts(finished, counted) : NO_COUNTS;
    return {
      phase,
      index,
      requestId,
      correlationId: session.correlationId,
      session: session.number,
      conversationId: session.conversation.id,
      turn,
      turns: session.conversation.turns.length,
      workerId,
      endpoint,
      streaming,
      url,
      model,
      servedModel: answer.model,
      servedId: answer.id,
      intendedNs,
      startNs: exchange.begunNs,
      firstTokenNs: text.firstNs,
      firstOutputNs: text.firstOutputNs,
      lastTokenNs: text.lastNs ?? (answer.vectors > 0 ? exchange.lastByteNs : undefined),
      endNs: exchange.endNs!,
      trace: traceOf(exchange),
      traffic: trafficOf(exchange, finished.requestBytes),
      connectionReused: exchange.reused,
      resent: exchange.resent,
      status: exchange.status,
      finishReason: answer.finishReason,
      silentEnd: answer.isSilent,
      failure: failureIn(answer),
      cancelled: sending.cancelledNs !== undefined,
      cancelledNs: sending.cancelledNs,
      arrivals: arrivalsOf(answer, counted),
      requestedOutput: finished.requestedOutput,
      counted: own,
      usage: answer.usage,
      tokens: { ...(source === 'server' ? reported(answer) : own), source },
      text: keepText
        ? {
            input: finished.inputText,
            output: text.joined(PIECE_OUTPUT),
            reasoning: text.joined(PIECE_REASONING),
          }
        : undefined,
    };
  }

  /** Counts with what was said before; the answer becomes part of that for the next turn. */
  #counts({ session, uncounted, hasContext }: Finished, { input, output, reasoning }: Counted): TokenCounts {
    const whole = uncounted.known + input + (hasContext ? (session.contextTokens ?? 0) : 0);
    session.contextTokens = whole + output;
    return { input: whole, output, reasoning };
  }
}
