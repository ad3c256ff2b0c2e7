/** The page's side of the worker that writes a GIF. */

const startGifWorker = () => new Worker(new URL("./gifWorker.js", import.meta.url), { type: "module" });

export function gifInWorker(start = startGifWorker) {
  const worker = start();
  /** @param {import("./gifWorker.js").Told} message @param {ArrayBufferLike[]} buffers  given away @returns {Promise<Blob | null>} */
  const ask = (message, buffers = []) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data.blob);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(message, /** @type {ArrayBuffer[]} */ (buffers));
    });
  return {
    /** @param {number} width @param {number} height @param {Uint8ClampedArray[]} samples */
    begin: (width, height, samples) => ask({ begin: { width, height, samples } }, samples.map(({ buffer }) => buffer)),
    /** Resolves when the next may come. @param {import("./gif.js").Frame} frame */
    add: (frame) => ask({ frame }, [frame.pixels.buffer]),
    end: async () => {
      const blob = await ask({ end: true });
      if (!blob) throw new Error("no picture was written");
      return blob;
    },
    stop: () => worker.terminate(),
  };
}
