// What a worker runs, behind the engine: one search at a time. It tells how far it has come a few times a second.
const engine = create_engine();

onmessage = async ({ data: { call, request } }) => {
  let told = 0;
  const progress = (statistics, bound) => {
    const now = performance.now();
    if (now - told < 80) return;
    told = now;
    postMessage({ statistics, bound });
  };
  try {
    const result = (await engine)[call](request, progress);
    postMessage({ result }, result.trace ? [result.trace.buffer] : []);
  } catch (error) {
    postMessage({ result: { error: `the search broke off: ${error.message ?? error}` }, is_broken: true });
  }
};
