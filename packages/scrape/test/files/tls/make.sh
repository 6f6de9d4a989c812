#!/bin/sh
# Regenerates the test certificates with OpenSSL 3. Usage: sh make.sh
# The certificates are valid from 2020 to 2120, except expired.pem. The keys are used only in tests and protect nothing.
set -e
cat > ca.cnf <<END
[ca]
default_ca = own
[own]
new_certs_dir = .
database = books
rand_serial = yes
unique_subject = no
default_md = sha256
copy_extensions = copy
policy = any
[any]
commonName = supplied
END
: > books
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
make() { # NAME KEY ISSUER_OPTIONS COMMON_NAME EXTENSION END_DATE
  openssl req -new -key "$2" -subj "/CN=$4" -addext "$5" -out request
  # Unlike `openssl x509` of OpenSSL 3.0, `openssl ca` accepts a start date in the past.
  openssl ca -batch -config ca.cnf $3 -notext -in request -out "$1.pem" -startdate 20200101000000Z -enddate "$6"
}
localhost_names='subjectAltName=DNS:localhost,IP:127.0.0.1'
other_names='subjectAltName=DNS:other.example,DNS:more.example'
issued_by_ca='-cert ca.pem -keyfile ca.key'
end_date=21200101000000Z
key ca.key
key server.key
key client.key
make ca ca.key '-selfsign -keyfile ca.key' 'Servelens test CA' 'basicConstraints=critical,CA:TRUE' $end_date
make server server.key "$issued_by_ca" localhost "$localhost_names" $end_date
make expired server.key "$issued_by_ca" localhost "$localhost_names" 20200102000000Z
make otherhost server.key "$issued_by_ca" other.example "$other_names" $end_date
make selfsigned server.key '-selfsign -keyfile server.key' localhost "$localhost_names" $end_date
make client client.key "$issued_by_ca" 'a scraper' 'extendedKeyUsage=clientAuth' $end_date
rm -f ca.key ca.cnf books* request [0-9A-F]*.pem
