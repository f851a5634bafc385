// A file server and an npm registry on loopback, for .ci/release: nothing else is asked.
//
//   node serve.js FOLDER
//
// FOLDER/… is served as it is; FOLDER/npm/*.tgz with their folders are packages. The address
// is printed once it answers.
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");

const root = process.argv[2];

// What the registry says of a package: every version of which there is a tarball.
function packument(name, address) {
  const doc = { name, versions: {}, "dist-tags": {} };
  for (const release of fs.readdirSync(path.join(root, "npm"))) {
    const folder = path.join(root, "npm", release, name.replace("@agents-hooks/", ""));
    if (!fs.existsSync(path.join(folder, "package.json"))) continue;
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
    const tarball = `npm/${release}/${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    const hash = crypto.createHash("sha512").update(fs.readFileSync(path.join(root, tarball)));
    manifest.dist = { tarball: `${address}/${tarball}`, integrity: `sha512-${hash.digest("base64")}` };
    doc.versions[manifest.version] = manifest;
    doc["dist-tags"].latest = manifest.version; // folders are in the order of versions
  }
  return Object.keys(doc.versions).length ? doc : undefined;
}

const server = http.createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const name = decodeURIComponent(request.url.split("?")[0].slice(1));
  const file = path.join(root, path.normalize(`/${name}`));
  if (name.startsWith("@agents-hooks/")) {
    const doc = packument(name, address);
    response.writeHead(doc ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(doc ?? { error: "not found" }));
  } else if (fs.existsSync(file) && fs.statSync(file).isFile()) {
    response.writeHead(200);
    fs.createReadStream(file).pipe(response);
  } else {
    response.writeHead(404);
    response.end();
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
