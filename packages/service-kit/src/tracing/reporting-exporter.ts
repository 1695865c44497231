import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** Logs once when a collector stops accepting spans, and once when it accepts them again. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  #log: Logger | undefined;
  #lostBatches = 0;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  reportTo(log: Logger): void {
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  #report({ code, error }: ExportResult): void {
    if (code === ExportResultCode.FAILED) {
      if (this.#lostBatches === 0) {
        // Log only the message, since an error of the exporter contains the whole response of the collector.
        this.#log?.warn({ reason: error?.message }, 'traces cannot be sent; they are dropped');
      }
      this.#lostBatches += 1;
    } else if (this.#lostBatches > 0) {
      this.#log?.info({ lostBatches: this.#lostBatches }, 'traces can be sent again');
      this.#lostBatches = 0;
    }
  }
}
