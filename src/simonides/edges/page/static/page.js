// Keys, focus and small comforts. Everything that is read works without this file.
"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const writing = (element) => element && (element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName));
  const say = (text) => { one("#said").textContent = text; };

  // j and k go through what can be opened.
  const rows = () => all("[data-open]").filter((row) => row.getClientRects().length);
  const chosen = () => one("[data-open].here");
  const choose = (row) => {
    chosen()?.classList.remove("here");
    row.classList.add("here");
    (row.matches("a") ? row : one("a", row) ?? row).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  const step = (by) => {
    const found = rows();
    const at = found.indexOf(chosen());
    const next = found[Math.max(0, Math.min(found.length - 1, at < 0 ? 0 : at + by))];
    if (next) choose(next);
  };
  const press = (selector) => {
    const button = one(selector, chosen() ?? document) ?? one(selector);
    if (button) button.click();
    return Boolean(button);
  };
  const undo = () => {
    const found = all(".undo button").filter((button) => getComputedStyle(button).visibility !== "hidden");
    if (found.length) found[found.length - 1].click();
    else if (one("[data-key='u']")) one("[data-key='u']").focus();
    else say("There is nothing to undo here.");
  };
  const KEYS = {
    "/": () => { const field = one("[data-key='/']"); field?.focus(); field?.select(); },
    "j": () => step(1),
    "k": () => step(-1),
    "u": undo,
    "a": () => press("[data-key='a']"),
    "x": () => press("[data-key='x']"),
    "m": () => press("[data-key='m']"),
    "?": () => one("#help").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Enter" && event.target.tagName === "TEXTAREA") event.target.form?.requestSubmit();
      return;
    }
    if (event.key === "Escape" && !one("dialog[open]")) {
      const open = event.target.closest?.("details[open]");
      if (open) { open.open = false; one("summary", open).focus(); } else event.target.blur?.();
      return;
    }
    if (writing(event.target) || one("dialog[open]")) return;
    if (event.key === "Enter" && chosen() && (event.target === document.body || event.target === chosen())) {
      location.href = chosen().dataset.open;
      return;
    }
    if (walk(event)) return;
    const act = KEYS[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  // Arrows walk over links.
  const walk = (event) => {
    const list = event.target.closest?.("[data-links]");
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!list || !by) return false;
    const links = all("a", list);
    const next = links[links.indexOf(event.target.closest("a")) + by];
    if (next) { next.focus(); event.preventDefault(); }
    return true;
  };

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const text = one(`#${copy.dataset.copy}`).textContent;
      navigator.clipboard?.writeText(text).then(() => { copy.textContent = "Copied"; say("Copied."); }, () => getSelection().selectAllChildren(one(`#${copy.dataset.copy}`)));
    }
    if (event.target.closest("[data-help]")) one("#help").showModal();
  });

  // On a narrow screen the row of places begins where one is.
  const here = one(".places [aria-current]");
  if (here) {
    const row = one(".places");
    const box = here.getBoundingClientRect();
    row.scrollLeft += box.left + box.width / 2 - row.getBoundingClientRect().left - row.clientWidth / 2;
  }

  // A scope that is chosen is asked at once.
  one(".ask select")?.addEventListener("change", (event) => event.target.form.requestSubmit());

  // Where the server does not answer, or answers without a page, what stood there stays, and says so.
  const failed = (event, text) => {
    const place = event.target.closest?.(".body");
    if (!place) return;
    one(".notice.failed", place)?.remove();
    const notice = document.createElement("p");
    notice.className = "notice failed";
    notice.setAttribute("role", "alert");
    notice.textContent = `${text} `;
    const again = document.createElement("a");
    again.href = "";
    again.textContent = "Load it again";
    notice.append(again);
    place.append(notice);
  };
  document.addEventListener("htmx:error", (event) => failed(event, "The server did not answer; whether it was done is not known."));
  document.addEventListener("htmx:before:response", (event) => {
    const { status, headers } = event.detail.ctx.response;
    if (headers.get("hx-redirect") || (headers.get("content-type") ?? "").startsWith("text/html")) return;
    event.preventDefault();
    failed(event, status === 401 || status === 403 ? "The key of this page holds no longer; open it anew from the address that the server prints. Nothing was changed." : `The server refused this (${status}); nothing was changed.`);
  });

  // What was done is said aloud, and the row that it was done with stays the one that is looked at.
  document.addEventListener("htmx:after:swap", () => {
    const notices = all(".rows .notice p");
    if (notices.length) say(notices[notices.length - 1].textContent);
  });

  // A card is moved by the one form of its room, or by dragging it to a room's name.
  const mover = one("#move");
  const moving = (card) => {
    mover.action = card.dataset.move;
    one("[data-card]", mover).textContent = one(".sentence", card).textContent;
  };
  if (mover) {
    let from = null;
    document.addEventListener("click", (event) => {
      const link = event.target.closest("[data-key='m']");
      const leave = event.target.closest("[data-close]");
      if (link && !(event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        from = link;
        moving(link.closest("[data-move]"));
        mover.hidden = false;
        one("select", mover).focus();
      } else if (leave) {
        event.preventDefault();
        mover.hidden = true;
        from?.focus();
      }
    });
    mover.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); one("[data-close]", mover).click(); } });
  }
  let dragged = null;
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-move]");
    dragged?.classList.add("dragged");
    event.dataTransfer?.setData("text/plain", dragged?.dataset.open ?? "");
  });
  document.addEventListener("dragend", () => { dragged?.classList.remove("dragged"); dragged = null; });
  for (const door of all("[data-drop]")) {
    door.addEventListener("dragover", (event) => { if (dragged) { event.preventDefault(); door.classList.add("over"); } });
    door.addEventListener("dragleave", () => door.classList.remove("over"));
    door.addEventListener("drop", (event) => {
      event.preventDefault();
      const room = dragged && all("option", mover).find((option) => option.value === door.dataset.drop);
      if (room) { moving(dragged); room.selected = true; mover.requestSubmit(); }
    });
  }

  // Live: events come as they happen.
  const live = one("[data-stream]");
  if (live) {
    const pulse = one("#pulse");
    const source = new EventSource(live.dataset.stream);
    let lost = 0;
    source.addEventListener("open", () => {
      clearTimeout(lost);
      pulse.classList.add("on");
      if (pulse.textContent !== "Looking on") pulse.textContent = "Looking on";
    });
    // The server ends the stream now and then, and the browser asks anew: only a longer silence is worth a word.
    source.addEventListener("error", () => {
      clearTimeout(lost);
      lost = setTimeout(() => { pulse.classList.remove("on"); pulse.textContent = "Not connected; trying again"; }, 3000);
    });
    const UNITS = [["minute", 60, 60], ["hour", 3600, 24], ["day", 86400, 45]];
    const grow = () => {
      for (const time of all("time", live)) {
        const apart = (Date.now() - Date.parse(time.dateTime)) / 1000;
        const unit = UNITS.find(([, size, most]) => apart < size * most);
        if (apart < 60 || !unit) continue;
        const number = Math.floor(apart / unit[1]);
        const text = `${number} ${unit[0]}${number === 1 ? "" : "s"} ago`;
        if (time.textContent !== text) time.textContent = text;
      }
    };
    setInterval(grow, 15000);
    source.addEventListener("message", (event) => {
      const told = JSON.parse(event.data);
      const row = one("#event").content.cloneNode(true).firstElementChild;
      const [who, where] = all("bdi", row);
      const link = one("a", row);
      one(".what", row).textContent = told.what;
      link.textContent = told.text || "a memory";
      if (told.href) { link.href = told.href; row.dataset.open = told.href; }
      who.textContent = told.who;
      where.textContent = told.scope ?? "";
      one("time", row).dateTime = told.at;
      one("time", row).title = told.at;
      one("time", row).textContent = "just now";
      row.classList.add("came");
      one(".nothing", live)?.remove();
      live.prepend(row);
      while (live.children.length > 100) live.lastElementChild.remove();
    });
  }
})();
