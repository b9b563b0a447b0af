"use strict";
// The tree as rows that fold: only what is unfolded is in the page, however large the tree.
(function () {
  const data = JSON.parse(document.getElementById("tree-data").textContent);
  const outline = document.getElementById("outline");
  const story = document.getElementById("story");
  const found = document.getElementById("found");
  const nodes = data.nodes.map(function (n, id) {
    return { id: id, parent: n[0], what: n[1], rows: n[2], answer: n[3], bar: n[4], story: n[5],
      hidden: n[6], level: 0, kids: [], open: false, match: false, keep: false };
  });
  nodes.forEach(function (n) {
    if (n.parent >= 0) {
      n.level = nodes[n.parent].level + 1;
      nodes[n.parent].kids.push(n);
    }
    n.open = n.level < 3;
  });
  let searched = "";
  let shown = [];

  function element(name, cls, text) {
    const e = document.createElement(name);
    e.className = cls;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function row(n) {
    const e = element("div", n.match ? "node found" : "node");
    e.setAttribute("role", "treeitem");
    e.setAttribute("aria-level", n.level + 1);
    if (n.kids.length) e.setAttribute("aria-expanded", n.open);
    e.style.setProperty("--level", n.level);
    e.tabIndex = -1;
    e.dataset.id = n.id;
    e.title = n.story;
    e.append(element("span", "fold", n.kids.length ? (n.open ? "▾" : "▸") : n.hidden ? "⋯" : ""));
    const what = element("span", "what");
    what.append(element("bdi", "", n.what));
    if (n.hidden) what.append(element("span", "faint", " (" + n.hidden + " more nodes below)"));
    const bar = element("span", "bar");
    bar.setAttribute("aria-hidden", "true");
    n.bar.forEach(function (part) {
      const s = element("span", "");
      s.style.width = part[0] + "%";
      s.style.background = part[1] || "transparent";
      bar.append(s);
    });
    const answer = element("span", "answer");
    answer.append(element("bdi", "", n.answer));
    e.append(what, bar, answer, element("span", "rows", n.rows));
    return e;
  }

  function draw(focus) {
    shown = [];
    const waiting = [nodes[0]];
    while (waiting.length) {
      const n = waiting.pop();
      if (searched && !n.keep) continue;
      shown.push(n);
      if (n.open) for (let i = n.kids.length - 1; i >= 0; i--) waiting.push(n.kids[i]);
    }
    outline.replaceChildren.apply(outline, shown.map(row));
    const at = Math.max(0, shown.findIndex(function (n) { return n.id === focus; }));
    const e = outline.children[at];
    if (e) {
      e.tabIndex = 0;
      if (focus !== undefined) e.focus();
    }
  }

  function fold(n, open) {
    if (!n.kids.length) return;
    n.open = open;
    draw(n.id);
  }

  outline.addEventListener("focusin", function (event) {
    const e = event.target.closest(".node");
    if (e) story.textContent = nodes[e.dataset.id].story;
  });

  outline.addEventListener("click", function (event) {
    const e = event.target.closest(".node");
    if (e) {
      const n = nodes[e.dataset.id];
      if (n.kids.length) fold(n, !n.open);
      else e.focus();
    }
  });

  outline.addEventListener("keydown", function (event) {
    const e = event.target.closest(".node");
    if (!e) return;
    const n = nodes[e.dataset.id];
    const at = shown.indexOf(n);
    const go = function (to) {
      if (to) {
        e.tabIndex = -1;
        const next = outline.children[shown.indexOf(to)];
        next.tabIndex = 0;
        next.focus();
      }
    };
    const keys = {
      ArrowDown: function () { go(shown[at + 1]); },
      ArrowUp: function () { go(shown[at - 1]); },
      Home: function () { go(shown[0]); },
      End: function () { go(shown[shown.length - 1]); },
      ArrowRight: function () { if (n.kids.length) { if (n.open) go(n.kids[0]); else fold(n, true); } },
      ArrowLeft: function () { if (n.open && n.kids.length) fold(n, false); else go(nodes[n.parent]); },
      Enter: function () { fold(n, !n.open); },
      " ": function () { fold(n, !n.open); }
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  document.getElementById("unfold").addEventListener("click", function () {
    nodes.forEach(function (n) { n.open = true; });
    draw();
  });
  document.getElementById("fold").addEventListener("click", function () {
    nodes.forEach(function (n) { n.open = false; });
    draw();
  });

  // A search shows the nodes that match and the way to them.
  document.getElementById("find").addEventListener("input", function (event) {
    searched = event.target.value.trim().toLowerCase();
    let count = 0;
    nodes.forEach(function (n) {
      n.match = searched !== "" && (n.what + " " + n.answer).toLowerCase().includes(searched);
      n.keep = n.match;
      if (n.match) count += 1;
    });
    for (let id = nodes.length - 1; id > 0; id--) {
      if (nodes[id].keep) {
        nodes[nodes[id].parent].keep = true;
        nodes[nodes[id].parent].open = true;
      }
    }
    if (searched !== "") nodes[0].keep = true;
    found.textContent = searched === "" ? "" : count + (count === 1 ? " node" : " nodes");
    draw();
  });
  draw();
})();

// Tables that can be filtered.
document.querySelectorAll("input[data-filters]").forEach(function (input) {
  const rows = document.querySelectorAll("#" + input.dataset.filters + " tbody tr");
  const said = input.parentElement.querySelector("output");
  input.addEventListener("input", function () {
    const wanted = input.value.trim().toLowerCase();
    let count = 0;
    rows.forEach(function (tr) {
      const keep = tr.textContent.toLowerCase().includes(wanted);
      tr.style.display = keep ? "" : "none";
      if (keep) count += 1;
    });
    said.textContent = wanted === "" ? "" : count + (count === 1 ? " rule" : " rules");
  });
});
