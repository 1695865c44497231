import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  // Use the sources of the client, so that unused parts are removed.
  resolve: { conditions: ['@zonewright/source', 'module', 'browser', 'production'] },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the pages allows only scripts and styles that are separate files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Ignore "use client", which is for server rendering, and the duration of a build on a busy machine.
      onLog: (level, log, handle) => {
        if (!['MODULE_LEVEL_DIRECTIVE', 'PLUGIN_TIMINGS'].includes(log.code)) handle(level, log);
      },
    },
  },
});
