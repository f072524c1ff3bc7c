// A page that was opened as a file may start no Worker, which the theme's search needs. There its script runs in a frame.
if (location.protocol === "file:") {
    window.Worker = class extends EventTarget {
        constructor(script) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            frame.title = "search";
            frame.srcdoc = `<script src="${new URL(script, location.href)}"></script>`;
            this.scope = new Promise((resolve) => {
                frame.addEventListener("load", () => {
                    frame.contentWindow.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
                    resolve(frame.contentWindow);
                });
            });
            document.body.append(frame);
        }

        async postMessage(data) {
            const scope = await this.scope;
            scope.dispatchEvent(new MessageEvent("message", { data }));
        }

        terminate() {}
    };
}
